import type { SeoActionItem } from './routes.ts'

const SCREENS: Readonly<Record<string, string>> = {
  setup: '/seo/setup',
  '404s': '/seo/missing-pages',
  'site-settings': '/settings',
}

/** The screen to fix an item. */
export function linkOf({ action: { type, target } }: SeoActionItem): string | undefined {
  return type === 'screen' ? SCREENS[target] : `/seo/settings#${target}`
}
