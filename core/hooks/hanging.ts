/** Maximum pending calls of a hanging callback; beyond that, one is tried at a time. The same number of errors pauses an extension. */
const MOST = 5

/**
 * Tracks whether a callback hangs: a call took too long and has not ended, and no later call finished in time. Dispatches then call it
 * without waiting: only those that started before are slow, each of these calls that takes too long is a further error, and the first one
 * that finishes in time shows that the callback works again.
 */
export class Hanging {
  /** Numbers of the calls that took too long and have not ended. */
  readonly #late = new Set<number>()
  #begun = 0
  #answered = 0
  #trials = 0

  get isKnown(): boolean {
    return this.#late.size > 0
  }

  /** @returns the number of a call that starts now */
  begin(): number {
    return ++this.#begun
  }

  /** A call finished in time, with a value or an error: earlier slow calls were exceptions. */
  answer(call: number): void {
    this.#answered = Math.max(this.#answered, call)
    for (const late of this.#late) if (late < call) this.#late.delete(late)
  }

  /** A call took too long; its promise may still settle. */
  note(call: number, promise: PromiseLike<unknown>): void {
    if (call < this.#answered) return
    const end = () => void this.#late.delete(call)
    this.#late.add(call)
    promise.then(end, end)
  }

  /** Whether it may be called again without waiting. */
  get mayTry(): boolean {
    return this.#trials === 0 || this.#trials + this.#late.size < MOST
  }

  beginTrial(): number {
    this.#trials++
    return this.begin()
  }

  endTrial(): void {
    this.#trials--
  }
}
