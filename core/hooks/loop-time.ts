/** Milliseconds between two looks at the clock, and the most that counts between them. */
const TICK = 20
const MOST = 50

/**
 * Milliseconds in which the event loop turned, as long as somebody holds it: of a time in which it did not turn, because
 * code blocked it or the machine gave the process none, no more than 50 count. Whoever waits is limited by this, since
 * it answers for its own time only.
 */
class LoopTime {
  #at = 0
  #seen = 0
  #holders = 0
  #timer: NodeJS.Timeout | undefined

  now(): number {
    return this.#at + Math.min(performance.now() - this.#seen, MOST)
  }

  /** Goes on until `release`. */
  hold(): void {
    if (this.#holders++ > 0) return
    this.#look()
    this.#timer ??= setInterval(() => this.#tick(), TICK).unref()
  }

  release(): void {
    this.#holders--
  }

  #tick(): void {
    this.#look()
    if (this.#holders > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#at = this.now()
    this.#seen = performance.now()
  }
}

/** One for all hosts of the process, as they have one event loop. */
export const loopTime = new LoopTime()
