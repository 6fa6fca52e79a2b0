import { RestError, toError } from '../errors.ts'
import type { Owner } from '../owner.ts'
import { type AsyncCalls, callOwned, type PendingCall } from './compile.ts'
import type { Entry } from './entry.ts'
import { ContentClosed, HookRecursion } from './errors.ts'
import type { DispatchFrame, Frame } from './frame.ts'
import type { KindChange } from './guard.ts'
import {
  checkValue,
  invalidReturn,
  isClosed,
  isLarge,
  plainArray,
  reportError,
  withCopiedArguments,
  withCopiedValue,
} from './guard.ts'
import type { Bucket, Listeners } from './listeners.ts'
import { recordTime, type Weight } from './sampling.ts'
import type { ValidType } from './shapes.ts'
import { type HookRecord, validTypeFor } from './store.ts'
import type { DispatchLimits } from './types.ts'
import { isThenable } from './value-kind.ts'
import { whileLoaded } from './waiting.ts'

/** `filter` passes its first argument from callback to callback; `all` ignores how many arguments a callback accepts. */
export type RunKind = 'action' | 'filter' | 'all'

/** Calls a callback and returns its result, or a promise that settles in time. */
export type Caller = (dispatch: DispatchFrame, entry: Entry, args: readonly unknown[]) => unknown

/** How callbacks are called, and who receives their errors. */
export interface RunLimits {
  /** Absent if callbacks have no time limit. */
  readonly caller: Caller | undefined
  readonly cancelable: boolean
  readonly onError: DispatchLimits['onError']
}

/**
 * One async dispatch to the callbacks of one hook, with its current position. Code that awaits nothing runs outside of async functions,
 * where V8 runs the same loop twice as fast.
 */
export class AsyncRun implements AsyncCalls {
  readonly frame: DispatchFrame
  readonly #record: HookRecord
  readonly #kind: RunKind
  readonly #args: unknown[]
  readonly #limits: RunLimits
  /** Whether compiled code may call the callbacks: it does not implement time limits. */
  readonly #isPlain: boolean
  #listeners: Listeners | undefined
  #bucket: Bucket | undefined
  /** Index of the next callback. */
  index = 0
  #weight: Weight = 0
  #validType: ValidType = ''
  #kindChange: KindChange | undefined

  /**
   * @param args The first one is the value of a filter.
   * @param only The callbacks to call; default: all callbacks of the hook.
   */
  constructor(
    record: HookRecord,
    kind: RunKind,
    frame: DispatchFrame,
    args: unknown[],
    limits: RunLimits,
    only?: Listeners,
  ) {
    this.#record = record
    this.#kind = kind
    this.frame = frame
    this.#args = args
    this.#limits = limits
    this.#listeners = only
    this.#isPlain = limits.caller === undefined && kind !== 'all'
  }

  /** The current value of a filter. */
  get value(): unknown {
    return this.#args[0]
  }

  set value(value: unknown) {
    this.#args[0] = value
  }

  /** The last callback that was called. */
  get running(): Entry | undefined {
    return this.#bucket?.entries[this.index - 1]
  }

  /** The same dispatch for the callbacks of the `all` hook, which run before its own. */
  forAllHook(all: HookRecord): AsyncRun {
    return new AsyncRun(all, 'all', this.frame, [this.#record.name, ...this.#args], this.#limits)
  }

  /**
   * Calls all callbacks, awaiting each promise before the next call.
   * @returns `undefined` if nothing had to be awaited.
   */
  complete(): Promise<void> | undefined {
    this.frame.run = this
    this.#listeners ??= this.#record.listeners
    this.#validType = validTypeFor(this.#record, this.#args[0])
    this.#enter(this.#listeners?.buckets[0])
    const waiting = this.#advance()
    return waiting && this.#completeAfter(waiting)
  }

  async #completeAfter(first: PendingCall): Promise<void> {
    for (let waiting: PendingCall | undefined = first; waiting !== undefined; waiting = this.#advance()) {
      const { entry, promise, startedAt } = waiting
      try {
        this.#accept(entry, await promise)
      } catch (error) {
        this.#handleError(entry, error)
      } finally {
        if (this.#weight !== 0) recordTime(entry, startedAt, this.#weight)
      }
    }
  }

  /** Calls callbacks from the current position until one returns a promise. */
  #advance(): PendingCall | undefined {
    let bucket = this.#bucket
    while (bucket !== undefined) {
      const isCompiled = this.index === 0 && this.#weight === 0 && this.#isPlain
      const waiting = isCompiled ? this.#callCompiled(bucket) : this.#callRest(bucket)
      if (waiting !== undefined) return waiting
      bucket = this.#enter(this.#listeners?.after(bucket))
    }
    return undefined
  }

  #callCompiled(bucket: Bucket): PendingCall | undefined {
    const args = this.#args
    const compiled = bucket.compiledAsync(this.#kind === 'filter', this.#validType, args.length)
    if (args.length === 1) return compiled(this, args[0])
    if (args.length === 2) return compiled(this, args[0], args[1])
    return compiled(this, ...args)
  }

  /** Calls the remaining callbacks of a bucket one by one. */
  #callRest({ entries }: Bucket): PendingCall | undefined {
    const args = this.#args
    const { caller } = this.#limits
    for (let entry = entries[this.index++]; entry !== undefined; entry = entries[this.index++]) {
      const began = this.#weight === 0 ? 0 : performance.now()
      try {
        const passesUnchanged = entry.acceptedArgs >= args.length && typeof args[0] !== 'object' && this.#kind !== 'all'
        const given = passesUnchanged ? args : this.#argumentsOf(entry)
        const result = caller === undefined ? callOwned(entry, given) : caller(this.frame, entry, given)
        if (typeof result === 'object' && isThenable(result)) return this.#waitFor(entry, result, began)
        this.#accept(entry, result)
      } catch (error) {
        this.#handleError(entry, error)
      }
      if (this.#weight !== 0) recordTime(entry, began, this.#weight)
    }
    return undefined
  }

  handleResult(entry: Entry, result: unknown): PendingCall | undefined {
    if (isThenable(result)) return this.#waitFor(entry, result, 0)
    this.#accept(entry, result)
    return undefined
  }

  resume(thrown: unknown): PendingCall | undefined {
    const { running } = this
    if (running === undefined || this.#bucket === undefined) throw thrown
    this.#handleError(running, thrown)
    return this.#callRest(this.#bucket)
  }

  #argumentsOf({ acceptedArgs, owner }: Entry): readonly unknown[] {
    if (this.#kind === 'all') return owner === undefined ? this.#args : withCopiedArguments(this.#args)
    const args = acceptedArgs >= this.#args.length ? this.#args : this.#args.slice(0, acceptedArgs)
    return this.#kind === 'filter' && owner !== undefined ? withCopiedValue(args) : args
  }

  #waitFor(entry: Entry, result: PromiseLike<unknown>, startedAt: number): PendingCall {
    const isUnlimited = this.#limits.caller === undefined && entry.owner !== undefined
    return { entry, promise: isUnlimited ? whileLoaded(result, entry.owner) : result, startedAt }
  }

  #enter(bucket: Bucket | undefined): Bucket | undefined {
    this.#bucket = bucket
    this.index = 0
    if (bucket !== undefined) this.#weight = bucket.begin()
    return bucket
  }

  #accept(entry: Entry, result: unknown): void {
    if (this.#kind !== 'filter') return
    const { owner } = entry
    if (owner !== undefined && !hasValidType(this.#validType, result) && !this.#check(entry, owner, result)) return
    if (result !== undefined) this.#args[0] = owner === undefined ? result : plainArray(result)
  }

  /** Checks what an owned callback returned; core's change no value in place. `false` if the value stays unchanged. */
  #check(entry: Entry, owner: Owner, result: unknown): boolean {
    if (result === undefined) {
      if (isClosed(entry, this.#record)) throw invalidReturn(entry, 'nothing')
      owner.onUndefined?.(entry.name)
      return false
    }
    if (result === this.#args[0] && owner.id === 'core') return true
    this.#kindChange = checkValue(entry, this.#record, this.#args[0], result) ?? this.#kindChange
    return true
  }

  #handleError(entry: Entry, thrown: unknown): void {
    const { owner, name, added } = entry
    if (owner === undefined) throw thrown
    const error = toError(thrown, added)
    if (!this.#isCancellation(error, owner)) {
      if (this.#limits.cancelable && error instanceof RestError) throw error
      reportError(error, entry, owner, this.#args[0], this.#kindChange)
      // Propagates to the outermost dispatch; otherwise each callback in between would start the recursion again.
      if (error instanceof HookRecursion && this.frame.parent !== undefined) throw error
      this.#limits.onError?.(error, owner.id)
    }
    if (this.#limits.cancelable && isClosed(entry, this.#record)) throw new ContentClosed(name)
  }

  /** Whether a callback only rejected because its signal was aborted, which is not its owner's fault. */
  #isCancellation(error: unknown, owner: Owner): boolean {
    if (isReasonOf(owner.signal, error)) return true
    for (let frame: Frame | undefined = this.frame; frame !== undefined; frame = frame.parent) {
      if (isReasonOf(frame.isCallback ? frame.controller?.signal : frame.signal, error)) return true
    }
    return false
  }
}

/** Whether a value needs no further check. Written out: V8 compares types quickly only with literals. */
function hasValidType(validType: ValidType, value: unknown): boolean {
  if (validType === 'number') return typeof value === 'number'
  if (validType === 'string') return typeof value === 'string' && !isLarge(value)
  return validType === 'boolean' && typeof value === 'boolean'
}

function isReasonOf(signal: AbortSignal | undefined, error: unknown): boolean {
  if (!signal?.aborted) return false
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
