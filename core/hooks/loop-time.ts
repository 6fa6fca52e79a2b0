/** Interval between clock readings, and the most that counts between two of them, in milliseconds. */
const TICK = 20
const MOST = 50

/**
 * Milliseconds in which the event loop was running, while measured by at least one caller: a period in which it was not, because code
 * blocked it or the machine was overloaded, counts as at most 50 ms. Time limits use it, so that code is only charged for its own time.
 */
class LoopTime {
  #at = 0
  #seen = 0
  #holders = 0
  #timer: NodeJS.Timeout | undefined

  now(): number {
    return this.#at + Math.min(performance.now() - this.#seen, MOST)
  }

  /** Continues until `release`. */
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

/** Shared by all hosts of the process, which have one event loop. */
export const loopTime = new LoopTime()
