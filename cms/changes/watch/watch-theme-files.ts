import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { Undo } from '../../../core/hooks/types.ts'
import type { Logger } from '../../../core/log.ts'
import { PRODUCT_THEMES } from '../../site/theme/theme.ts'

/** Debounce time in ms; editors write a file in several steps. */
const QUIET = 50

/**
 * Calls back when a theme file was saved. Only for a local environment: in production, themes are read once. The site's
 * theme folder may be created later.
 */
export function watchThemeFiles({ siteDir, log }: { siteDir: string; log: Logger }, changed: () => void): Undo {
  const watchers = new Map<string, FSWatcher>()
  const own = join(siteDir, 'themes')
  let timer: NodeJS.Timeout | undefined

  function note(): void {
    clearTimeout(timer)
    timer = setTimeout(changed, QUIET)
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
  follow(siteDir, false, (name) => {
    if (name !== 'themes') return
    follow(own, true, note)
    note()
  })
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}
