import type { ImportedRule } from '../types.ts'

/** The parsed contents of a file. */
export interface ReadFile {
  readonly rules: readonly ImportedRule[]
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

/** Maximum number of invalid lines: a file with more is not a redirect file, and its errors would fill memory. */
export const MOST_ERRORS = 10_000
export const LEFT_OUT = 'Too many invalid lines. The rest of the file was skipped.'

/** Number of lines or rows parsed before yielding to the event loop. */
export const IN_A_ROW = 1000
