import type { Entry } from './entry.ts'
import type { Rule } from './shape-rules.ts'

/** An owned callback made a value of another kind of the one it got, on a hook whose values have no declared shape. */
export interface KindChange {
  readonly entry: Entry
  /** What it got and returned, in words. */
  readonly from: string
  readonly to: string
  readonly value: unknown
  /** Which dispatch of the hook it was. */
  readonly dispatch: number
}

/** What the guards of a hook's callbacks know of the hook. */
export interface CheckedHook {
  /** How often it was dispatched as a filter. */
  readonly filtered: number
  /** What callbacks may return; `undefined` if nobody declared it. */
  readonly rule: Rule | undefined
  /** Whether every callback of it protects content: see `isClosed`. */
  readonly isProtective: boolean
  /** How many hooks run now, each within the one before. */
  readonly current: { readonly depth: number }
  /** The last one in a synchronous dispatch. */
  kindChange: KindChange | undefined
}
