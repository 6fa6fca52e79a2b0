import { existsSync, type FSWatcher, watch } from 'node:fs'
import type { ExtensionHost, Undo } from 'pentad'
import { ownThemes, PRODUCT_THEMES } from '../../theme-folders.ts'

/** Debounce time in ms; editors write a file in several steps. */
const QUIET = 50

/**
 * Calls back when a theme file was saved. Only in a local environment: in production, themes are read once. The site's
 * theme folder may be created later.
 */
export function watchThemeFiles(host: ExtensionHost, changed: () => void): void {
  const { site, log, setTimeout: later } = host
  if (site.environment !== 'local') return
  const watchers = new Map<string, FSWatcher>()
  const own = ownThemes(site.dir)
  let stopTimer: Undo | undefined

  function note(): void {
    stopTimer?.()
    stopTimer = later(changed, QUIET)
  }

  function follow(folder: string, recursive: boolean, onChange: (name: string | null) => void): void {
    if (watchers.has(folder) || !existsSync(folder)) return
    try {
      const watcher = watch(folder, { persistent: false, recursive }, (_, name) => onChange(name))
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(folder)
      })
      watchers.set(folder, watcher)
    } catch (error) {
      log.warn({ err: error, folder }, 'theme folder could not be watched')
    }
  }

  follow(PRODUCT_THEMES, true, note)
  follow(own, true, note)
  follow(site.dir, false, (name) => {
    if (name !== 'themes') return
    follow(own, true, note)
    note()
  })
  host.onDispose(() => {
    for (const watcher of watchers.values()) watcher.close()
  })
}
