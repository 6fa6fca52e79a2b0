import type { ExtensionHost } from 'pentad'
import { watchThemeFiles } from './watch-theme-files.ts'

/** Options with settings whose names do not end in `_settings`. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set(['blog_public', 'nav_menu_locations', 'permalinks'])
/** Saving the service's own settings does not purge. */
const OWN_SETTINGS = 'speed_settings'
/** Purge interval during an import, in ms: visitors still get cached pages, and lists are at most half a minute old. */
const IMPORT_INTERVAL = 30_000

/** Calls back when something changed that may affect all pages: settings, theme, extensions, an import. */
export function watchSite(host: ExtensionHost, changed: (reason: string) => void): { readonly isImporting: boolean } {
  const { hooks } = host
  let stopImport: (() => void) | undefined

  hooks.addAction('updated_option', (name) => {
    const isSettings = name.endsWith('_settings') || OTHER_SETTINGS.has(name)
    if (isSettings && name !== OWN_SETTINGS) changed(`The option ${name} changed.`)
  })
  hooks.addAction('wp_update_nav_menu', (id) => {
    if (Object.values(host.content.menus.placed()).includes(id)) changed(`Menu ${id} changed.`)
  })
  hooks.addAction('extension_state_changed', (id) => {
    // The fingerprint covers the service itself.
    if (id !== host.id) changed(`The extension ${id} was activated, deactivated, or reloaded.`)
  })
  hooks.addAction('search_replaced', () => changed('A search and replace ran.'))
  watchThemeFiles(host, () => changed('A theme file changed.'))

  // Purging all pages periodically is cheaper than looking up thousands of changes.
  hooks.addAction('import_start', () => {
    stopImport ??= host.setInterval(() => changed('An import is in progress.'), IMPORT_INTERVAL)
  })
  hooks.addAction('import_end', () => {
    stopImport?.()
    stopImport = undefined
    changed('An import ended.')
  })

  return {
    get isImporting() {
      return stopImport !== undefined
    },
  }
}
