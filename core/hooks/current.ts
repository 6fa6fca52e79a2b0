import { AsyncLocalStorage } from 'node:async_hooks'
import type { Entry } from './listeners.ts'
import { type Chain, HookRecursion, MAX_DEPTH } from './recursion.ts'
import type { HookOwner } from './types.ts'
import type { WaitedCall } from './waiting.ts'

/** One async dispatch, or one callback of it that has limits of its own. */
export interface Frame {
  readonly name: string
  /** The next outer one that had not ended when this one began. */
  readonly parent: Frame | undefined
  /** Set once a dispatch was made within it. */
  chain: Chain | undefined
  /** Whether it is a callback of the dispatch that is its parent. */
  readonly isCallback: boolean
  ended: boolean
  /** The walk of a dispatch over its callbacks. */
  pass: { readonly running: Entry | undefined } | undefined
  /** Set while a callback is waited for. */
  waited: WaitedCall | undefined
  /** How many dispatches led to this one, also such as ended meanwhile: each was made within the one before. */
  generation: number
  /** When the line of dispatches that led to this one was looked at last: see `enterChain`. */
  since: number
  /** Whether it runs within a dispatch of the same hook. */
  isBranch: boolean
  /** Of the whole dispatch. */
  readonly signal: AbortSignal | undefined
  /** Of a callback: made when somebody asks for its signal, or when it took too long. */
  late: AbortController | undefined
}

/**
 * Not a class: one is made for each dispatch, and V8 makes a literal faster.
 * @param within Where it begins.
 * @param signal of the whole dispatch; a callback has its own
 */
export function createFrame(name: string, within: Frame | undefined, signal?: AbortSignal, isCallback = false): Frame {
  let parent = within
  while (parent?.ended) parent = parent.parent
  const frame: Frame = {
    name,
    parent,
    chain: undefined,
    isCallback,
    ended: false,
    pass: undefined,
    waited: undefined,
    generation: 0,
    since: 0,
    isBranch: false,
    signal,
    late: undefined,
  }
  if (parent !== undefined) join(frame, parent)
  return frame
}

function join(frame: Frame, parent: Frame): void {
  parent.chain ??= { branches: 0, broken: undefined }
  frame.chain = parent.chain
  frame.generation = parent.generation + (frame.isCallback ? 0 : 1)
  frame.since = parent.since
}

/**
 * Which hooks are running. Synchronous code runs on one stack, so whatever is called from it is
 * inside the hook on top. Code that goes on after an `await` finds that stack empty and asks the
 * `AsyncLocalStorage` for its own chain of async dispatches, which no other chain can see.
 */
export class Current {
  /** Names of hooks whose callbacks are on the call stack now, innermost last; beyond `depth` it is stale. */
  readonly stack: string[] = []
  /** Counted apart, since shrinking the array costs more than the rest of a short dispatch. */
  depth = 0
  readonly chain = new AsyncLocalStorage<Frame>()

  /** How deep dispatches may be; none once a circle was found, until the outermost one has ended. */
  most = MAX_DEPTH

  /** A synchronous dispatch is deeper than `most`. @throws HookRecursion if it is one too many */
  refuse(name: string): void {
    if (this.depth === 0) {
      // Here and not where the outermost dispatch ends: nearly all of these would have nothing to do.
      this.most = MAX_DEPTH
      return
    }
    this.most = 0
    throw new HookRecursion([...this.stack.slice(0, this.depth), name])
  }

  name(): string | false {
    if (this.depth > 0) return this.stack[this.depth - 1] ?? false
    return this.#frames().next().value?.name ?? false
  }

  /** Without a name: whether any hook runs. */
  includes(name?: string): boolean {
    if (name === undefined) return this.name() !== false
    return this.stack.slice(0, this.depth).includes(name) || this.#frames().some((frame) => frame.name === name)
  }

  /** Of the async callback that asks; `undefined` if neither its dispatches nor its owner limit it. */
  signal(owner?: HookOwner): AbortSignal | undefined {
    const innermost = this.chain.getStore()
    if (innermost === undefined) return undefined
    const signals = owner === undefined ? [] : [owner.signal]
    for (let frame: Frame | undefined = innermost; frame !== undefined; frame = frame.parent) {
      const signal = frame.isCallback ? lateOf(frame).signal : frame.signal
      if (signal !== undefined) signals.push(signal)
    }
    return signals.length < 2 ? signals[0] : AbortSignal.any(signals)
  }

  /** The async dispatches this code is part of that still run, innermost first. */
  *#frames(): Generator<Frame, undefined> {
    for (let frame = this.chain.getStore(); frame !== undefined; frame = frame.parent) if (!frame.ended) yield frame
  }
}

/** What fires the signal of a callback that takes too long. */
export function lateOf(callback: Frame): AbortController {
  callback.late ??= new AbortController()
  return callback.late
}
