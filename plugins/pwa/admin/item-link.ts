import type { Score } from './routes.ts'

/** Screens of settings that are not on the identity screen. */
const PLACES: Readonly<Record<string, string>> = {
  installPrompts: '/pwa/install',
  installPromptKinds: '/pwa/install',
  offlineCache: '/pwa/offline',
  offlineFallbackPage: '/pwa/offline',
  backgroundSync: '/pwa/offline',
  periodicSync: '/pwa/offline',
  pushButton: '/pwa/settings',
  pushPrompt: '/pwa/settings',
}

type Item = NonNullable<Score['actionItems']>[number]

/** The screen to fix an item. */
export function linkOf({ action: { type, target } }: Item): string | undefined {
  return type === 'setting' ? (PLACES[target] ?? '/pwa/identity') : undefined
}
