import { AsyncLocalStorage } from 'node:async_hooks'
import type { HookOwner } from './types.ts'

/** One async dispatch, or one callback of it that has limits of its own. */
export interface Frame {
  readonly name: string
  readonly parent: Frame | undefined
  readonly signal: AbortSignal | undefined
  ended: boolean
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
      if (frame.signal !== undefined) signals.push(frame.signal)
    }
    return signals.length < 2 ? signals[0] : AbortSignal.any(signals)
  }

  /** The async dispatches this code is part of that still run, innermost first. */
  *#frames(): Generator<Frame, undefined> {
    for (let frame = this.chain.getStore(); frame !== undefined; frame = frame.parent) if (!frame.ended) yield frame
  }
}
