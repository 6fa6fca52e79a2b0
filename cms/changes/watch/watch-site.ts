import type { Undo } from '../../../core/hooks/types.ts'
import type { ChangeSource } from '../types.ts'
import type { SiteParts } from './site-parts.ts'

/** Options with settings whose names do not end in `_settings`. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set([
  'blog_public',
  'hook_priorities',
  'nav_menu_locations',
  'permalinks',
])
/** Purge interval during an import, in ms: visitors still get cached pages, and lists are at most half a minute old. */
const IMPORT_INTERVAL = 30_000

/** Receives the reason that users see, the source and its name, and whether another process made the change, which it records. */
export type SiteChanged = (reason: string, source: ChangeSource, name?: string, isExternal?: boolean) => void

/** Calls back when something changed that may affect all pages: settings, theme, extensions, an import. */
export function watchSite(
  { hooks, content }: Pick<SiteParts, 'hooks' | 'content'>,
  changed: SiteChanged,
): { readonly isImporting: boolean; stop: Undo } {
  let interval: NodeJS.Timeout | undefined

  hooks.addAction('updated_option', (name, _oldValue, _value, isExternal) => {
    const isSettings = name.endsWith('_settings') || OTHER_SETTINGS.has(name)
    if (isSettings) changed(`The option ${name} changed.`, 'option', name, isExternal)
  })
  hooks.addAction('wp_update_nav_menu', (id) => {
    if (Object.values(content.menus.placed()).includes(id)) changed(`Menu ${id} changed.`, 'site')
  })
  hooks.addAction('extension_state_changed', (id) =>
    changed(`The extension ${id} was activated, deactivated, or reloaded.`, 'extension', id),
  )
  hooks.addAction('search_replaced', () => changed('A search and replace ran.', 'site'))

  // Purging all pages periodically is cheaper than looking up thousands of changes.
  hooks.addAction('import_start', () => {
    interval ??= setInterval(() => changed('An import is in progress.', 'site'), IMPORT_INTERVAL).unref()
  })
  hooks.addAction('import_end', () => {
    clearInterval(interval)
    interval = undefined
    changed('An import ended.', 'site')
  })

  return {
    get isImporting() {
      return interval !== undefined
    },
    stop: () => clearInterval(interval),
  }
}
