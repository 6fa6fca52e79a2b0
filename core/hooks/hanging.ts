/** Maximum pending calls of a hanging callback; beyond that, one call at a time probes it. The same number of errors pauses an extension. */
const MAX_PENDING = 5

/**
 * Tracks whether a callback hangs: a call exceeded its time limit and has not ended, and no later call finished in time. Dispatches then
 * only probe it, without waiting for the result. Each probe that exceeds the limit counts as another error; the first one that finishes
 * in time shows that the callback works again.
 */
export class Hanging {
  /** Numbers of the calls that exceeded the limit and have not ended. */
  readonly #late = new Set<number>()
  #started = 0
  #answered = 0
  #probes = 0

  get isKnown(): boolean {
    return this.#late.size > 0
  }

  /** @returns the number of a call that starts now */
  begin(): number {
    return ++this.#started
  }

  /** A call finished in time, with a value or an error: earlier slow calls were exceptions. */
  finish(call: number): void {
    this.#answered = Math.max(this.#answered, call)
    for (const late of this.#late) if (late < call) this.#late.delete(late)
  }

  /** A call took too long; its promise may still settle. */
  timedOut(call: number, promise: PromiseLike<unknown>): void {
    if (call < this.#answered) return
    const end = () => void this.#late.delete(call)
    this.#late.add(call)
    promise.then(end, end)
  }

  /** Whether another probe may start. */
  get canProbe(): boolean {
    return this.#probes === 0 || this.#probes + this.#late.size < MAX_PENDING
  }

  beginProbe(): number {
    this.#probes++
    return this.begin()
  }

  endProbe(): void {
    this.#probes--
  }
}
