import type { ImportedRule } from '../types.ts'

/** What a file says, as far as it can be read. */
export interface ReadFile {
  readonly rules: readonly ImportedRule[]
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

/** Lines that may be wrong before what follows is left out: such a file is none of rules, and its errors fill the memory. */
export const MOST_ERRORS = 10_000
export const LEFT_OUT = 'Too many invalid lines. The rest of the file was skipped.'

/** Lines or rows that are read before the event loop takes a turn. */
export const IN_A_ROW = 1000
