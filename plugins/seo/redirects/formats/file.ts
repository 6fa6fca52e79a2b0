import type { ImportedRule } from '../types.ts'

/** What a file says, as far as it can be read. */
export interface ReadFile {
  readonly rules: readonly ImportedRule[]
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}
