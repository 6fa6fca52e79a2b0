import { AsyncLocalStorage } from 'node:async_hooks'
import { withStackOf } from '../errors.ts'
import { CallbackTimeout, HookRecursion } from '../hooks/errors.ts'
import { OwnTime } from '../hooks/loop-time.ts'
import { MAX_BRANCHES, MAX_DEPTH } from '../hooks/recursion.ts'
import { whileLoaded } from '../hooks/waiting.ts'
import { currentRequest } from './request-context.ts'

/** Time limits for code of extensions outside of hooks, in milliseconds of `loopNow`. */
export interface CallLimits {
  /** A permission check, or input validation. */
  readonly check: number
  /** A route handler or an ability without its own limit. */
  readonly handler: number
}

/** Defaults of the site's settings. */
export const CALL_LIMITS: CallLimits = { check: 5_000, handler: 60_000 }

/** A call of an owner's code that a request waits for. */
export interface LimitedCall {
  /** Time limit in milliseconds; `Infinity` for none. */
  readonly limit: number
  /** Description for the error: `The handler of GET /hello/v1/greeting`. */
  readonly what: string
  /** An error created at registration, whose frames the timeout error gets. */
  readonly added: Error | undefined
  /** Aborted when the owner is unloaded, which ends the wait. */
  readonly unloaded: AbortSignal | undefined
  /** Aborted when the client disconnects. */
  readonly client?: AbortSignal
  /** Aborted when the hook callback that waits for this call is abandoned. */
  readonly waiter?: AbortSignal | undefined
  /** Whether the client is still sending the body that the code reads: that time does not count. */
  readonly isReceiving?: () => boolean
}

/** An owner's code exceeded its time limit. */
export class CallTimeout extends Error {
  override readonly name = 'TimeoutError'

  /** @param waiter The callback that was abandoned because of it, rather than for its own limit. */
  constructor({ what, limit, added }: LimitedCall, waiter?: CallbackTimeout) {
    super(
      waiter === undefined
        ? `${what} took longer than ${limit} ms.`
        : `${what} was aborted because the callback that called it exceeded its time limit: ${waiter.message}`,
    )
    withStackOf(this, added)
  }
}

/** Errors that do not count for their owner: a callback waited for other code, to whose owner the error was reported, or was called too often. */
export const causedByOtherCode = new WeakSet<Error>()

/** The innermost call that the running code belongs to. */
const innermost = new AsyncLocalStorage<CallTime>()

/**
 * Calls an owner's code that a request waits for, outside of hooks. Time spent waiting for hook callbacks and other such calls does not
 * count: they have their own limits, and of two nested calls the inner one is at fault.
 *
 * @param work Receives a function that creates a signal, aborted with the client's and when the time limit is exceeded.
 * @returns the result of `work`. @throws CallTimeout; HookRecursion; the signal's reason if the owner is unloaded
 */
export async function withinTime<Result>(
  call: LimitedCall,
  work: (signal: () => AbortSignal) => Promise<Result>,
): Promise<Result> {
  const time = new CallTime(call.what, innermost.getStore())
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  let timeout: AbortController | undefined
  let combined: AbortSignal | undefined
  const signal = () => {
    timeout ??= new AbortController()
    combined ??= call.client === undefined ? timeout.signal : AbortSignal.any([call.client, timeout.signal])
    return combined
  }
  let timer = call.limit === Number.POSITIVE_INFINITY ? undefined : setTimeout(checkTime, call.limit)
  const result = innermost.run(time, work, signal)
  const settled = call.unloaded === undefined ? result : whileLoaded(result, { signal: call.unloaded })
  settled.then(resolve, reject)
  call.waiter?.addEventListener('abort', onWaiterAbandoned)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    call.waiter?.removeEventListener('abort', onWaiterAbandoned)
    time.end()
  }

  /** Of nested calls, the innermost is at fault. */
  function onWaiterAbandoned(): void {
    const reason: unknown = call.waiter?.reason
    if (!(reason instanceof CallbackTimeout) || time.own.isWaiting) return
    causedByOtherCode.add(reason)
    abandon(new CallTimeout(call, reason))
  }

  function checkTime(): void {
    const left = call.isReceiving?.() ? call.limit : call.limit - time.ownTime
    if (left > 1) {
      timer = setTimeout(checkTime, left)
      return
    }
    abandon(new CallTimeout(call))
  }

  function abandon(error: CallTimeout): void {
    timeout ??= new AbortController()
    timeout.abort(error)
    reject(error)
    time.abandon()
  }
}

/** Calls `listener` if the current call exceeds its time limit and is abandoned. */
export function onAbandoned(listener: () => void): void {
  innermost.getStore()?.onAbandoned(listener)
}

/** The current call, to check later whether it was abandoned. */
export function currentCall(): { readonly isAbandoned: boolean } | undefined {
  return innermost.getStore()
}

/** State shared by nested calls. */
interface Chain {
  /** Number of nested calls of the same code. */
  branches: number
  /** Set once an infinite recursion was detected: further calls of the chain fail. */
  broken: HookRecursion | undefined
}

/** Measures the time of one call, without that of other calls that it waits for. */
class CallTime {
  isAbandoned = false
  readonly #listeners: (() => void)[] = []
  readonly #outer: CallTime | undefined
  readonly own: OwnTime
  /** Time that the request has spent waiting for callbacks, and its value at the start of this call. */
  readonly #callbacks = currentRequest()?.waiting
  readonly #before = this.#callbacks?.spent ?? 0

  readonly what: string
  readonly depth: number
  readonly #chain: Chain
  readonly #isBranch: boolean
  #ended = false

  /** @throws HookRecursion if it is nested too deeply */
  constructor(what: string, given: CallTime | undefined) {
    const outer = given === undefined || given.#ended ? undefined : given
    this.what = what
    this.depth = outer === undefined ? 0 : outer.depth + 1
    this.#chain = outer === undefined ? { branches: 0, broken: undefined } : outer.#chain
    this.#outer = outer
    const names = this.#names()
    this.#isBranch = names.indexOf(what) < names.length - 1
    if (this.#isBranch) this.#chain.branches++
    if (this.depth > MAX_DEPTH || this.#chain.branches > MAX_BRANCHES)
      this.#chain.broken ??= new HookRecursion(names, 'Routes and abilities')
    if (this.#chain.broken !== undefined) throw this.#chain.broken
    this.own = new OwnTime(outer?.own)
  }

  /** Milliseconds so far. */
  get ownTime(): number {
    return this.own.milliseconds - ((this.#callbacks?.spent ?? 0) - this.#before)
  }

  /** Outermost first. */
  #names(): string[] {
    const names: string[] = []
    for (let call: CallTime | undefined = this; call !== undefined; call = call.#outer) names.unshift(call.what)
    return names
  }

  onAbandoned(listener: () => void): void {
    this.#listeners.push(listener)
  }

  abandon(): void {
    this.isAbandoned = true
    for (const listener of this.#listeners) listener()
  }

  end(): void {
    this.#ended = true
    if (this.#isBranch) this.#chain.branches--
    this.own.end()
  }
}
