/** Interval between clock readings, and the maximum counted between two of them, in milliseconds. */
const TICK = 20
const MAX_COUNTED = 50

/**
 * Milliseconds during which the event loop was responsive, while at least one caller measures: a period in which it was blocked or the
 * machine was overloaded counts as at most 50 ms. Time limits use this clock, so that code is charged only for its own time.
 */
class LoopTime {
  #elapsed = 0
  #lastReading = 0
  #users = 0
  #timer: NodeJS.Timeout | undefined

  now(): number {
    return this.#elapsed + Math.min(performance.now() - this.#lastReading, MAX_COUNTED)
  }

  /** Measures until `stop`; calls can overlap. */
  start(): void {
    if (this.#users++ > 0) return
    this.#update()
    this.#timer ??= setInterval(() => this.#tick(), TICK).unref()
  }

  stop(): void {
    this.#users--
  }

  #tick(): void {
    this.#update()
    if (this.#users > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #update(): void {
    this.#elapsed = this.now()
    this.#lastReading = performance.now()
  }
}

/** Shared by all hosts of the process, which have one event loop. */
export const loopTime = new LoopTime()
