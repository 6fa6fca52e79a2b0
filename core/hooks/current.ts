import { AsyncLocalStorage } from 'node:async_hooks'
import type { Owner } from '../owner.ts'
import { HookRecursion } from './errors.ts'
import type { CallbackFrame, ChainPosition, DispatchFrame, Frame } from './frame.ts'
import { MAX_DEPTH, nestedPosition, rootPosition } from './recursion.ts'
import type { WaitingTime } from './waiting.ts'

/**
 * Frames are object literals: V8 creates them faster than class instances.
 * @param within Frame in which the dispatch starts.
 */
export function createFrame(name: string, within: Frame | undefined, signal?: AbortSignal): DispatchFrame {
  let parent = within
  while (parent?.ended) parent = parent.parent
  const position = parent && nestedPosition(positionOf(parent))
  return { isCallback: false, name, parent, position, ended: false, signal, run: undefined }
}

/** @param dispatch dispatch that calls it */
export function createCallbackFrame(dispatch: DispatchFrame): CallbackFrame {
  return {
    isCallback: true,
    name: dispatch.name,
    parent: dispatch,
    ended: false,
    controller: undefined,
    awaited: undefined,
  }
}

function positionOf(frame: Frame): ChainPosition {
  const dispatch = frame.isCallback ? frame.parent : frame
  dispatch.position ??= rootPosition()
  return dispatch.position
}

/**
 * The hooks currently running. Synchronous code runs on one stack, so anything called from it is inside the innermost hook. Code after an
 * `await` finds that stack empty and gets its own chain of async dispatches from `AsyncLocalStorage`, invisible to other chains.
 */
export class Current {
  /** Names of hooks with callbacks on the call stack, innermost last; entries beyond `depth` are stale. */
  readonly stack: string[] = []
  /** Tracked separately, because shrinking the array costs more than the rest of a short dispatch. */
  depth = 0
  readonly chain = new AsyncLocalStorage<Frame>()
  /** The request that the running code belongs to. */
  readonly waiting: () => WaitingTime | undefined

  /** Maximum depth of dispatches; after an infinite recursion, 0 until the outermost dispatch has ended. */
  maxDepth = MAX_DEPTH
  #recursion: HookRecursion | undefined

  constructor(waiting: Current['waiting'] = () => undefined) {
    this.waiting = waiting
  }

  /** Called before a dispatch at or beyond `maxDepth`. @throws HookRecursion, unless the limit of an ended recursion only needs a reset */
  checkDepth(name: string): void {
    // Checked here rather than at the end of every outermost dispatch, which would rarely have anything to do.
    if (this.depth === 0) {
      this.endRecursion()
      return
    }
    // Until it has ended, the same error, which is reported only once: other callbacks that dispatch meanwhile are not at fault.
    if (this.maxDepth > 0) this.#recursion = new HookRecursion([...this.stack.slice(0, this.depth), name])
    this.maxDepth = 0
    throw this.#recursion
  }

  /** Allows nested dispatches again. */
  endRecursion(): void {
    this.maxDepth = MAX_DEPTH
  }

  name(): string | false {
    if (this.depth > 0) return this.stack[this.depth - 1] ?? false
    return this.#frames().next().value?.name ?? false
  }

  /** Without a name: whether any hook is running. */
  includes(name?: string): boolean {
    if (name === undefined) return this.name() !== false
    return this.stack.slice(0, this.depth).includes(name) || this.#frames().some((frame) => frame.name === name)
  }

  /** Signal of the running async callback; `undefined` if neither its dispatches nor its owner limit it. */
  signal(owner?: Owner): AbortSignal | undefined {
    const innermost = this.chain.getStore()
    if (innermost === undefined) return undefined
    const signals = owner === undefined ? [] : [owner.signal]
    for (let frame: Frame | undefined = innermost; frame !== undefined; frame = frame.parent) {
      const signal = frame.isCallback ? controllerOf(frame).signal : frame.signal
      if (signal !== undefined) signals.push(signal)
    }
    return signals.length < 2 ? signals[0] : AbortSignal.any(signals)
  }

  /** Async dispatches in progress that the running code belongs to, innermost first. */
  *#frames(): Generator<Frame, undefined> {
    for (let frame = this.chain.getStore(); frame !== undefined; frame = frame.parent) if (!frame.ended) yield frame
  }
}

/** The controller of a callback's signal. */
export function controllerOf(callback: CallbackFrame): AbortController {
  callback.controller ??= new AbortController()
  return callback.controller
}
