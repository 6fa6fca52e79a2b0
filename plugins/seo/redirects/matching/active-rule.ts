import type { RedirectTerms } from '../types.ts'

/** A rule as requests are held against it. */
export interface ActiveRule extends RedirectTerms {
  readonly id: number
}
