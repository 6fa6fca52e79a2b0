import { AsyncLocalStorage } from 'node:async_hooks'
import { withStackOf } from '../errors.ts'
import { CallbackTimeout, HookRecursion } from '../hooks/errors.ts'
import { loopTime } from '../hooks/loop-time.ts'
import { MAX_BRANCHES, MAX_DEPTH } from '../hooks/recursion.ts'
import { whileLoaded } from '../hooks/waiting.ts'
import { currentRequest } from './request-context.ts'

/** Time limits for code of extensions outside of hooks, in milliseconds of `LoopTime`. */
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
  /** Whether the client is still sending what the code reads: that time does not count. */
  readonly isFed?: () => boolean
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

/** Callbacks that only waited for a call of another owner's code. */
const excused = new WeakSet<Error>()

/** Whether a callback took too long only because it waited for other code, whose owner was notified. */
export function isExcused(error: Error): boolean {
  return excused.has(error)
}

/** The innermost call that the running code belongs to. */
const innermost = new AsyncLocalStorage<CallTime>()

/**
 * Calls an owner's code that a request waits for, outside of hooks. Time in which it waits for hook callbacks and other such calls is not
 * its own: they have their own limits, and of two nested calls the inner one is at fault.
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
  let overdue: AbortController | undefined
  let made: AbortSignal | undefined
  const signal = () => {
    overdue ??= new AbortController()
    made ??= call.client === undefined ? overdue.signal : AbortSignal.any([call.client, overdue.signal])
    return made
  }
  let timer = call.limit === Number.POSITIVE_INFINITY ? undefined : setTimeout(lookAtTime, call.limit)
  const result = innermost.run(time, work, signal)
  const settled = call.unloaded === undefined ? result : whileLoaded(result, { signal: call.unloaded })
  settled.then(resolve, reject)
  call.waiter?.addEventListener('abort', onWaiterGivenUp)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    call.waiter?.removeEventListener('abort', onWaiterGivenUp)
    time.end()
  }

  /** Of nested calls, the innermost is at fault. */
  function onWaiterGivenUp(): void {
    const reason: unknown = call.waiter?.reason
    if (!(reason instanceof CallbackTimeout) || time.isWaiting) return
    excused.add(reason)
    giveUp(new CallTimeout(call, reason))
  }

  function lookAtTime(): void {
    const left = call.isFed?.() ? call.limit : call.limit - time.own
    if (left > 1) {
      timer = setTimeout(lookAtTime, left)
      return
    }
    giveUp(new CallTimeout(call))
  }

  function giveUp(error: CallTimeout): void {
    overdue ??= new AbortController()
    overdue.abort(error)
    reject(error)
    time.giveUp()
  }
}

/** Calls `listener` if the current call exceeds its time limit and is abandoned. */
export function onGivenUp(listener: () => void): void {
  innermost.getStore()?.onGivenUp(listener)
}

/** The current call, to check later whether it is still waited for. */
export function currentCall(): { readonly isGivenUp: boolean } | undefined {
  return innermost.getStore()
}

/** State shared by nested calls. */
interface Chain {
  /** Number of nested calls of the same code. */
  branches: number
  /** Set after an infinite recursion was detected: no more calls are made. */
  broken: HookRecursion | undefined
}

/** Time of one call, without other calls that it waits for. */
class CallTime {
  isGivenUp = false
  readonly #listeners: (() => void)[] = []
  readonly #outer: CallTime | undefined
  readonly #began: number
  /** Time that the request has waited for callbacks; time before this call does not count. */
  readonly #callbacks = currentRequest()?.waiting
  readonly #before = this.#callbacks?.spent ?? 0
  #within = 0
  #since = 0
  #nested = 0

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
    loopTime.start()
    this.#began = loopTime.now()
    if (outer !== undefined && outer.#within++ === 0) outer.#since = this.#began
  }

  /** Milliseconds so far. */
  get own(): number {
    const now = loopTime.now()
    const callbacks = (this.#callbacks?.spent ?? 0) - this.#before
    return now - this.#began - callbacks - this.#nested - (this.#within === 0 ? 0 : now - this.#since)
  }

  /** Whether it is waiting for another call. */
  get isWaiting(): boolean {
    return this.#within > 0
  }

  /** Outermost first. */
  #names(): string[] {
    const names: string[] = []
    for (let call: CallTime | undefined = this; call !== undefined; call = call.#outer) names.unshift(call.what)
    return names
  }

  onGivenUp(listener: () => void): void {
    this.#listeners.push(listener)
  }

  giveUp(): void {
    this.isGivenUp = true
    for (const listener of this.#listeners) listener()
  }

  end(): void {
    this.#ended = true
    if (this.#isBranch) this.#chain.branches--
    const outer = this.#outer
    if (outer !== undefined && --outer.#within === 0) outer.#nested += loopTime.now() - outer.#since
    loopTime.stop()
  }
}
