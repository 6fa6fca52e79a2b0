import type { Entry } from './entry.ts'
import type { HookRecursion } from './errors.ts'
import type { AwaitedCall } from './waiting.ts'

/** One async dispatch. */
export interface DispatchFrame {
  readonly isCallback: false
  /** Name of the hook. */
  readonly name: string
  /** The next outer dispatch that was in progress when this one started. */
  readonly parent: Frame | undefined
  /** Set for nested dispatches, and once a dispatch was nested in it. */
  position: ChainPosition | undefined
  ended: boolean
  readonly signal: AbortSignal | undefined
  /** The run that calls its callbacks. */
  run: { readonly running: Entry | undefined } | undefined
}

/** One callback of a dispatch with its own limits. */
export interface CallbackFrame {
  readonly isCallback: true
  /** Name of the hook. */
  readonly name: string
  readonly parent: DispatchFrame
  ended: boolean
  /** Controller of its signal, created when the signal is requested or the time limit exceeded. */
  controller: AbortController | undefined
  /** Set while the dispatch awaits it. */
  awaited: AwaitedCall | undefined
}

export type Frame = DispatchFrame | CallbackFrame

/** State shared by all async dispatches of one chain. */
interface Chain {
  /** Number of dispatches nested in one of the same hook. */
  branches: number
  /** Set once an infinite recursion was detected: further dispatches of the chain fail. */
  broken: HookRecursion | undefined
}

/** Position of a dispatch and its callbacks in their chain. */
export interface ChainPosition {
  readonly chain: Chain
  /** Number of preceding dispatches, including completed ones, each started by a callback of the previous one. */
  readonly generation: number
  /** When this sequence of dispatches was last checked: see `enterChain`. */
  checkedAt: number
  /** Whether the dispatch is nested in one of the same hook. */
  isBranch: boolean
}
