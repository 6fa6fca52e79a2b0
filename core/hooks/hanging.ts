/** So many calls of a callback that hangs may be pending; beyond that it is tried with one at a time. So many faults pause an extension. */
const MOST = 5

/**
 * Whether one callback hangs: a call took too long and has not ended, and none that began after it was answered in time. Dispatches
 * then try it and do not wait: only those that began before this was known are slow, each trial that takes too long is a fault
 * of its own, and the first one that is answered shows that the callback works again.
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

  /** @returns the number of a call that begins now */
  begin(): number {
    return ++this.#begun
  }

  /** A call has ended in time, by a value or an error: those before it were exceptions. */
  answer(call: number): void {
    this.#answered = Math.max(this.#answered, call)
    for (const late of this.#late) if (late < call) this.#late.delete(late)
  }

  /** A call took too long; its promise may still end. */
  note(call: number, promise: PromiseLike<unknown>): void {
    if (call < this.#answered) return
    const end = () => void this.#late.delete(call)
    this.#late.add(call)
    promise.then(end, end)
  }

  /** Whether it may be called once more, without waiting. */
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
