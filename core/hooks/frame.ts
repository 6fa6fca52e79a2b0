import type { Entry } from './entry.ts'
import type { HookRecursion } from './errors.ts'
import type { WaitedCall } from './waiting.ts'

/** One async dispatch. */
export interface DispatchFrame {
  readonly isCallback: false
  /** Of the hook. */
  readonly name: string
  /** The next outer one that had not ended when this one began. */
  readonly parent: Frame | undefined
  /** Set where it is within another one, and once a dispatch was made within it. */
  place: Place | undefined
  ended: boolean
  readonly signal: AbortSignal | undefined
  /** Its walk over its callbacks. */
  pass: { readonly running: Entry | undefined } | undefined
}

/** One callback of a dispatch, with limits of its own. */
export interface CallbackFrame {
  readonly isCallback: true
  /** Of the hook. */
  readonly name: string
  readonly parent: DispatchFrame
  ended: boolean
  /** What fires its signal: made when somebody asks for the signal, or when it took too long. */
  late: AbortController | undefined
  /** Set while it is waited for. */
  waited: WaitedCall | undefined
}

export type Frame = DispatchFrame | CallbackFrame

/** What all async dispatches of one chain share. */
interface Chain {
  /** Dispatches that run within one of the same hook. */
  branches: number
  /** Set once the chain was found to be without an end: nothing more is dispatched in it. */
  broken: HookRecursion | undefined
}

/** Where a dispatch and its callbacks are in their chain. */
export interface Place {
  readonly chain: Chain
  /** How many dispatches led here, also such as ended meanwhile: each was made within the one before. */
  readonly generation: number
  /** When the line of dispatches that led here was looked at last: see `enterChain`. */
  since: number
  /** Whether the dispatch runs within one of the same hook. */
  isBranch: boolean
}
