import type { RedirectTerms } from '../types.ts'

/** A rule with the fields needed for matching. */
export interface ActiveRule extends RedirectTerms {
  readonly id: number
}
