/**
 * Milliseconds during which the event loop was responsive, while at least one call is measured: a period in which it was blocked or the
 * machine was overloaded counts as at most 50 ms. Time limits use this clock, so that code is charged only for its own time. All hosts of
 * the process share it, because they have one event loop.
 */
let elapsed = 0
let lastReading = 0
let calls = 0
let timer: NodeJS.Timeout | undefined

/** Interval between clock readings, and the maximum counted between two of them, in milliseconds. */
const TICK = 20
const MAX_COUNTED = 50
/** The real ones: a fake clock of a test, which ends without its timers, must not stop this one. */
const { setInterval, clearInterval } = globalThis

export function loopNow(): number {
  return elapsed + Math.min(performance.now() - lastReading, MAX_COUNTED)
}

function read(): void {
  elapsed = loopNow()
  lastReading = performance.now()
}

function begin(): void {
  if (calls++ > 0) return
  read()
  timer ??= setInterval(tick, TICK).unref()
}

function tick(): void {
  read()
  if (calls > 0) return
  clearInterval(timer)
  timer = undefined
}

/** Milliseconds of one call, without the calls that it waits for: of two nested calls, the inner one is at fault if it never ends. */
export class OwnTime {
  readonly #startedAt: number
  readonly #outer: OwnTime | undefined
  #nestedCount = 0
  #nestedSince = 0
  #nestedTime = 0

  /** Begins the call. @param outer - The call that waits for it. */
  constructor(outer: OwnTime | undefined) {
    begin()
    this.#outer = outer
    this.#startedAt = loopNow()
    if (outer !== undefined && outer.#nestedCount++ === 0) outer.#nestedSince = this.#startedAt
  }

  /** So far. */
  get milliseconds(): number {
    const now = loopNow()
    return now - this.#startedAt - this.#nestedTime - (this.isWaiting ? now - this.#nestedSince : 0)
  }

  /** Whether it is waiting for another call. */
  get isWaiting(): boolean {
    return this.#nestedCount > 0
  }

  end(): void {
    const outer = this.#outer
    if (outer !== undefined && --outer.#nestedCount === 0) outer.#nestedTime += loopNow() - outer.#nestedSince
    calls--
  }
}
