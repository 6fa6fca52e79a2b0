import { escapeHtml } from 'pentad'
import { APPLE_TOUCH_ICON, FAVICON } from '../assets/icons.ts'
import type { Assets } from '../assets/index.ts'
import type { PwaSettings } from '../settings.ts'
import { appNames } from './names.ts'

/** Head tags of the app, the same for all pages and visitors. iOS does not read these values from the manifest. */
export function headTags(
  settings: PwaSettings,
  site: { readonly title: string; readonly url: string },
  { manifestPath, assets }: { manifestPath: string; assets: Pick<Assets, 'splashScreens' | 'pathOf'> },
): string {
  const { shortName } = appNames(settings, site)
  const isApp = settings.displayMode === 'standalone' || settings.displayMode === 'fullscreen'
  const link = (attributes: Attributes) => element('link', attributes)
  const meta = (name: string, content: string) => element('meta', { name, content })
  const favicon = assets.pathOf(FAVICON)
  const touchIcon = assets.pathOf(APPLE_TOUCH_ICON)
  return [
    link({ rel: 'manifest', href: manifestPath }),
    meta('theme-color', settings.themeColor),
    meta('apple-mobile-web-app-title', shortName),
    ...(isApp
      ? [
          meta('mobile-web-app-capable', 'yes'),
          meta('apple-mobile-web-app-capable', 'yes'),
          meta('apple-mobile-web-app-status-bar-style', settings.iosStatusBar),
        ]
      : []),
    ...(favicon === undefined ? [] : [link({ rel: 'icon', href: favicon, sizes: '48x48' })]),
    ...(touchIcon === undefined ? [] : [link({ rel: 'apple-touch-icon', href: touchIcon })]),
    ...assets.splashScreens().map(({ src, media }) => link({ rel: 'apple-touch-startup-image', media, href: src })),
  ].join('')
}

type Attributes = Readonly<Record<string, string>>

function element(name: 'link' | 'meta', attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${written.join('')}>\n`
}
