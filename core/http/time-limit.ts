import { AsyncLocalStorage } from 'node:async_hooks'
import { withStackOf } from '../errors.ts'
import { CallbackTimeout, HookRecursion } from '../hooks/errors.ts'
import { loopTime } from '../hooks/loop-time.ts'
import { MAX_BRANCHES, MAX_DEPTH } from '../hooks/recursion.ts'
import { whileLoaded } from '../hooks/waiting.ts'
import { currentRequest } from './request-context.ts'

/** Milliseconds of `LoopTime` that code of an extension is waited for outside of hooks. */
export interface CallLimits {
  /** A permission check, or the validation of input. */
  readonly check: number
  /** The handler of a route, or an ability, that names no limit of its own. */
  readonly handler: number
}

/** Where the site's settings do not say. */
export const CALL_LIMITS: CallLimits = { check: 5_000, handler: 60_000 }

/** One call of an owner's code that a request waits for. */
export interface LimitedCall {
  /** Milliseconds of its own; `Infinity` for none. */
  readonly limit: number
  /** For the error: `The handler of GET /hello/v1/greeting`. */
  readonly what: string
  /** Made where the code was registered: its frames are those of the error. */
  readonly added: Error | undefined
  /** Fires when the owner is unloaded: nobody waits any longer then. */
  readonly unloaded: AbortSignal | undefined
  /** Fires when the client leaves. */
  readonly client?: AbortSignal
  /** Fires when the callback of a hook that waits for this call is given up. */
  readonly waiter?: AbortSignal | undefined
  /** Whether the client still sends what the code reads: that time is the client's. */
  readonly isFed?: () => boolean
}

/** An owner's code took longer than a request waits for it. */
export class CallTimeout extends Error {
  override readonly name = 'TimeoutError'

  /** @param waiter What was given up because of it, in place of its own limit. */
  constructor({ what, limit, added }: LimitedCall, waiter?: CallbackTimeout) {
    super(
      waiter === undefined
        ? `${what} took longer than ${limit} ms.`
        : `${what} took longer than the callback that called it may take: ${waiter.message}`,
    )
    withStackOf(this, added)
  }
}

/** Of callbacks that did nothing but wait for a call of another owner's code. */
const excused = new WeakSet<Error>()

/** Whether a callback took too long only because it waited for other code, whose owner was notified. */
export function isExcused(error: Error): boolean {
  return excused.has(error)
}

/** The innermost call that code is a part of. */
const innermost = new AsyncLocalStorage<CallTime>()

/**
 * Calls code of an owner that a request waits for, outside of hooks. What it waits for itself, callbacks of hooks and other
 * such calls, is not its own time: they have limits of their own, and of two that are nested the inner one is at fault.
 *
 * @param work Gets what makes a signal that fires with the client's and when the time is over.
 * @returns What `work` resolves to. @throws CallTimeout; HookRecursion; the reason of the unloading
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

  /** Of calls within one another the innermost is at fault. */
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

/** Calls `listener` if the call that this code is a part of takes too long: nobody waits for it any longer. */
export function onGivenUp(listener: () => void): void {
  innermost.getStore()?.onGivenUp(listener)
}

/** The call that this code is a part of, to see later whether anybody still waits for it. */
export function currentCall(): { readonly isGivenUp: boolean } | undefined {
  return innermost.getStore()
}

/** What all calls within one another share. */
interface Chain {
  /** Those that are within one of the same code. */
  branches: number
  /** Set once they were found to be without an end: no more are made. */
  broken: HookRecursion | undefined
}

/** The time of one call, without that of others it waits for. */
class CallTime {
  isGivenUp = false
  readonly #listeners: (() => void)[] = []
  readonly #outer: CallTime | undefined
  readonly #began: number
  /** How long the request waits for callbacks; what it waited before is nothing to this call. */
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

  /** @throws HookRecursion if it is within too many others */
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
    loopTime.hold()
    this.#began = loopTime.now()
    if (outer !== undefined && outer.#within++ === 0) outer.#since = this.#began
  }

  /** Milliseconds so far. */
  get own(): number {
    const now = loopTime.now()
    const callbacks = (this.#callbacks?.spent ?? 0) - this.#before
    return now - this.#began - callbacks - this.#nested - (this.#within === 0 ? 0 : now - this.#since)
  }

  /** Whether it waits for another call now. */
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
    loopTime.release()
  }
}
