import type { Pages } from './lists.ts'

/** Takes the pages of a change away. Paths are of this site; those of `mayShow` are only told to integrations. */
export type TakeAway = (wrong: Pages, reason: string, mayShow?: readonly string[]) => void
