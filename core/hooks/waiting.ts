import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import { loopNow, OwnTime } from './loop-time.ts'

/** In milliseconds of `loopNow`. */
export interface TimeLimits {
  /** Time limit of one async callback in a request. */
  readonly callback: number
  /** Time limit for all async callbacks of a request together. */
  readonly request: number
}

/** A callback being awaited. */
export class AwaitedCall {
  readonly entry: Entry
  readonly time: OwnTime

  constructor(entry: Entry, outer: AwaitedCall | undefined) {
    this.entry = entry
    this.time = new OwnTime(outer?.time)
  }
}

/** Total time that a request has waited for callbacks; concurrent ones are counted once. */
export class WaitingTime {
  /** Whether an error was already counted for the request: one request counts one error. */
  isErrorCounted = false
  /** Hanging callbacks in this request, each of which counts one error. */
  readonly hangingCalls = new Set<Entry>()
  /** Characters by which callbacks have lengthened large texts. */
  readonly growth = new Map<Entry, number>()
  readonly #ended = new Map<Entry, number>()
  readonly #running = new Set<AwaitedCall>()
  #since = 0
  #spent = 0

  /** Milliseconds so far. */
  get spent(): number {
    return this.#running.size === 0 ? this.#spent : this.#spent + loopNow() - this.#since
  }

  begin(call: AwaitedCall): void {
    if (this.#running.size === 0) this.#since = loopNow()
    this.#running.add(call)
  }

  end(call: AwaitedCall): void {
    this.#running.delete(call)
    if (this.#running.size === 0) this.#spent += loopNow() - this.#since
    this.#ended.set(call.entry, (this.#ended.get(call.entry) ?? 0) + call.time.milliseconds)
  }

  recordGrowth(entry: Entry, characters: number): void {
    this.growth.set(entry, (this.growth.get(entry) ?? 0) + characters)
  }

  /** The callback with the most time of its own. */
  slowest(): Entry | undefined {
    const times = new Map(this.#ended)
    for (const call of this.#running) times.set(call.entry, (times.get(call.entry) ?? 0) + call.time.milliseconds)
    let found: Entry | undefined
    for (const [entry, milliseconds] of times) {
      if (found === undefined || milliseconds > (times.get(found) ?? 0)) found = entry
    }
    return found
  }
}

/** Functions to call when an owner is unloaded, by its signal: one listener per call would cost more than the callback. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** The result of an owner's promise, or a rejection with the signal's reason if the owner is unloaded first. */
export function whileLoaded<Value>(promise: PromiseLike<Value>, { signal }: Pick<Owner, 'signal'>): Promise<Value> {
  const calls = waiting.get(signal) ?? listenForAbort(signal)
  return new Promise((resolve, reject) => {
    const rejectCall = () => reject(signal.reason)
    calls.add(rejectCall)
    promise.then(
      (value) => {
        calls.delete(rejectCall)
        resolve(value)
      },
      (error: unknown) => {
        calls.delete(rejectCall)
        reject(error)
      },
    )
    if (signal.aborted) rejectCall()
  })
}

function listenForAbort(signal: AbortSignal): Set<() => void> {
  const calls = new Set<() => void>()
  waiting.set(signal, calls)
  const rejectAll = () => void [...calls].map((giveUp) => giveUp())
  signal.addEventListener('abort', rejectAll, { once: true })
  return calls
}
