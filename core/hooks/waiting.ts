import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import { loopTime } from './loop-time.ts'

/** Milliseconds of `LoopTime`. */
export interface TimeLimits {
  /** Time limit of one async callback in a request. */
  readonly callback: number
  /** Time limit for all async callbacks of a request together. */
  readonly request: number
}

/**
 * A callback being waited for. Time in which it waits for callbacks of its own dispatches is not its own: of two nested callbacks, the
 * inner one is at fault if it never ends.
 */
export class WaitedCall {
  readonly entry: Entry
  readonly #began: number
  readonly #outer: WaitedCall | undefined
  #within = 0
  #since = 0
  #nested = 0

  constructor(entry: Entry, outer: WaitedCall | undefined) {
    this.entry = entry
    this.#outer = outer
    loopTime.hold()
    this.#began = loopTime.now()
    if (outer !== undefined && outer.#within++ === 0) outer.#since = this.#began
  }

  /** Milliseconds of its own time so far. */
  get own(): number {
    const now = loopTime.now()
    return now - this.#began - this.#nested - (this.#within === 0 ? 0 : now - this.#since)
  }

  end(): void {
    const outer = this.#outer
    if (outer !== undefined && --outer.#within === 0) outer.#nested += loopTime.now() - outer.#since
    loopTime.release()
  }
}

/** Total time that a request has waited for callbacks; concurrent ones are counted once. */
export class WaitingTime {
  /** Whether an error was already counted for the request: one request counts one error. */
  isBlamed = false
  /** Hanging callbacks in this request, each of which counts one error. */
  readonly metHanging = new Set<Entry>()
  readonly #ended = new Map<Entry, number>()
  readonly #running = new Set<WaitedCall>()
  #since = 0
  #spent = 0

  /** Milliseconds so far. */
  get spent(): number {
    return this.#running.size === 0 ? this.#spent : this.#spent + loopTime.now() - this.#since
  }

  begin(call: WaitedCall): void {
    if (this.#running.size === 0) this.#since = loopTime.now()
    this.#running.add(call)
  }

  end(call: WaitedCall): void {
    this.#running.delete(call)
    if (this.#running.size === 0) this.#spent += loopTime.now() - this.#since
    this.#ended.set(call.entry, (this.#ended.get(call.entry) ?? 0) + call.own)
  }

  /** The callback with the most time of its own. */
  slowest(): Entry | undefined {
    const times = new Map(this.#ended)
    for (const call of this.#running) times.set(call.entry, (times.get(call.entry) ?? 0) + call.own)
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
  const calls = waiting.get(signal) ?? watch(signal)
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    calls.add(giveUp)
    promise.then(
      (value) => {
        calls.delete(giveUp)
        resolve(value)
      },
      (error: unknown) => {
        calls.delete(giveUp)
        reject(error)
      },
    )
    if (signal.aborted) giveUp()
  })
}

function watch(signal: AbortSignal): Set<() => void> {
  const calls = new Set<() => void>()
  waiting.set(signal, calls)
  const giveUpAll = () => {
    for (const giveUp of calls) giveUp()
  }
  signal.addEventListener('abort', giveUpAll, { once: true })
  return calls
}
