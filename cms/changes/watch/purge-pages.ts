import type { Pages } from './lists.ts'

/**
 * Purges the pages affected by a change. Paths are relative to the site; those in `mayShow` are only reported to
 * integrations.
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
