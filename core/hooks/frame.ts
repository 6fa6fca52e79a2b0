import type { Entry } from './entry.ts'
import type { HookRecursion } from './errors.ts'
import type { WaitedCall } from './waiting.ts'

/** One async dispatch. */
export interface DispatchFrame {
  readonly isCallback: false
  /** Name of the hook. */
  readonly name: string
  /** The next outer dispatch that was in progress when this one started. */
  readonly parent: Frame | undefined
  /** Set for nested dispatches, and once a dispatch was nested in it. */
  place: Place | undefined
  ended: boolean
  readonly signal: AbortSignal | undefined
  /** The run over its callbacks. */
  pass: { readonly running: Entry | undefined } | undefined
}

/** One callback of a dispatch with its own limits. */
export interface CallbackFrame {
  readonly isCallback: true
  /** Name of the hook. */
  readonly name: string
  readonly parent: DispatchFrame
  ended: boolean
  /** Controller of its signal, created when the signal is requested or the time limit exceeded. */
  late: AbortController | undefined
  /** Set while it is being waited for. */
  waited: WaitedCall | undefined
}

export type Frame = DispatchFrame | CallbackFrame

/** State shared by all async dispatches of one chain. */
interface Chain {
  /** Number of dispatches nested in one of the same hook. */
  branches: number
  /** Set after an infinite recursion was detected: the chain makes no more dispatches. */
  broken: HookRecursion | undefined
}

/** Position of a dispatch and its callbacks in their chain. */
export interface Place {
  readonly chain: Chain
  /** Number of dispatches that led here, including completed ones: each was made in a callback of the previous one. */
  readonly generation: number
  /** When this sequence of dispatches was last checked: see `enterChain`. */
  since: number
  /** Whether the dispatch is nested in one of the same hook. */
  isBranch: boolean
}
