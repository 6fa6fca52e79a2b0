import { AsyncLocalStorage } from 'node:async_hooks'
import type { Owner } from '../owner.ts'
import { HookRecursion } from './errors.ts'
import type { CallbackFrame, DispatchFrame, Frame, Place } from './frame.ts'
import { MAX_DEPTH, outermostPlace, placeWithin } from './recursion.ts'

/**
 * Neither frame is of a class: V8 makes a literal faster.
 * @param within Where it begins.
 */
export function createFrame(name: string, within: Frame | undefined, signal?: AbortSignal): DispatchFrame {
  let parent = within
  while (parent?.ended) parent = parent.parent
  const place = parent && placeWithin(placeOf(parent))
  return { isCallback: false, name, parent, place, ended: false, signal, pass: undefined }
}

/** @param dispatch that calls it */
export function createCallbackFrame(dispatch: DispatchFrame): CallbackFrame {
  return { isCallback: true, name: dispatch.name, parent: dispatch, ended: false, late: undefined, waited: undefined }
}

function placeOf(frame: Frame): Place {
  const dispatch = frame.isCallback ? frame.parent : frame
  dispatch.place ??= outermostPlace()
  return dispatch.place
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
  signal(owner?: Owner): AbortSignal | undefined {
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
export function lateOf(callback: CallbackFrame): AbortController {
  callback.late ??= new AbortController()
  return callback.late
}
