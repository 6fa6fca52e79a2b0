import type { ExtensionHost } from 'pentad'
import { watchThemeFiles } from './watch-theme-files.ts'

/** Records that hold settings without being called so. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set(['blog_public', 'nav_menu_locations', 'permalinks'])
/** Its pages are rebuilt only on request (services.md 4.4). */
const OWN_SETTINGS = 'speed_settings'
/** Milliseconds between two purges while an import runs: visitors get cached pages, and lists that are half a minute old. */
const IMPORT_INTERVAL = 30_000

/** Calls back when something changed that all pages may show: settings, theme, extensions, an import. */
export function watchSite(host: ExtensionHost, changed: (reason: string) => void): { readonly isImporting: boolean } {
  const { hooks } = host
  let stopImport: (() => void) | undefined

  hooks.addAction('updated_option', (name) => {
    const isSettings = name.endsWith('_settings') || OTHER_SETTINGS.has(name)
    if (isSettings && name !== OWN_SETTINGS) changed(`The record ${name} changed.`)
  })
  hooks.addAction('wp_update_nav_menu', (id) => {
    if (Object.values(host.content.menus.placed()).includes(id)) changed(`Menu ${id} changed.`)
  })
  hooks.addAction('extension_switched', (id) => {
    // Of itself the cache knows which version rendered what.
    if (id !== host.id) changed(`The extension ${id} was switched or reloaded.`)
  })
  hooks.addAction('search_replaced', () => changed('Text was replaced.'))
  watchThemeFiles(host, () => changed('A file of a theme changed.'))

  // Thousands of changes, each of which would have to be looked up: all pages, now and then, are cheaper.
  hooks.addAction('import_start', () => {
    stopImport ??= host.setInterval(() => changed('An import goes on.'), IMPORT_INTERVAL)
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
