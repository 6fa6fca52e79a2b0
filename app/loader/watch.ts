import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Logger } from '../../core/log.ts'

/** Milliseconds of quiet after a save; editors write a file in several steps. */
const QUIET = 60

/** Hidden files, copies of editors, and logs: a log of reloads would cause the next one. */
const IGNORED = /^\.|~$|\.log$/

/** Calls back when one of an extension's files is saved. */
export interface Watcher {
  /**
   * Watches these files and the extension's own folder, if it has one, instead of those watched before. The folder is needed because the
   * files of an unreadable version are unknown.
   */
  watch(extension: string, files: readonly string[], folder: string | null): void
  close(): void
}

/** Watches folders rather than files: an editor that saves by renaming leaves a watched file behind. */
export function createWatcher(changed: (extension: string) => void, log: Logger): Watcher {
  const watchers = new Map<string, FSWatcher>()
  const folders = new Map<string, ReadonlySet<string>>()
  const pending = new Map<string, NodeJS.Timeout>()

  function noteChange(folder: string, name: string | null): void {
    if (name !== null && IGNORED.test(name)) return
    for (const [extension, watched] of folders) {
      if (!watched.has(folder)) continue
      clearTimeout(pending.get(extension))
      const timer = setTimeout(() => {
        pending.delete(extension)
        changed(extension)
      }, QUIET)
      pending.set(extension, timer)
    }
  }

  function start(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => noteChange(folder, name))
      watcher.on('error', () => stop(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      log.warn({ err: error, folder }, 'could not watch folder')
    }
  }
  function stop(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  return {
    watch(extension, files, folder) {
      const own = folder === null ? [] : foldersWithin(folder)
      folders.set(extension, new Set([...own, ...files.map((file) => dirname(file))]))
      const wanted = new Set([...folders.values()].flatMap((watched) => [...watched]))
      for (const folder of watchers.keys()) if (!wanted.has(folder)) stop(folder)
      for (const folder of wanted) if (!watchers.has(folder)) start(folder)
    },
    close() {
      for (const timer of pending.values()) clearTimeout(timer)
      for (const folder of [...watchers.keys()]) stop(folder)
      folders.clear()
    },
  }
}

/** The folder and its subfolders, except packages and hidden folders. */
function foldersWithin(folder: string): string[] {
  try {
    return [
      folder,
      ...readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        .flatMap((entry) => foldersWithin(join(folder, entry.name))),
    ]
  } catch {
    return [] // Gone meanwhile.
  }
}
