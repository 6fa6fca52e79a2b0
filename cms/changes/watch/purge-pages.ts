import type { Pages } from './lists.ts'

/**
 * Purges the pages affected by a change. Paths are relative to the site; those in `mayShow` are only
 * recorded in the change log.
 */
export type PurgePages = (
  wrong: Pages,
  reason: string,
  more?: {
    readonly mayShow?: readonly string[]
    /** Whether visitors may get the outdated pages once more while new ones are rendered. */
    readonly soft?: boolean
  },
) => void

/** Makes a callback purge all pages if it fails, as when the database does: which pages are affected is unknown then. */
export type OrAll = <Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
) => (...args: Args) => Promise<void>
