import { performance } from 'node:perf_hooks'
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises'

/** Milliseconds of work in a row. */
const SLICE = 20

/**
 * Yields to the event loop during long work in small steps.
 * @returns await it between two steps: it yields after 20 ms of work
 */
export function createYield(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE) return undefined
    return nextIteration().then(() => {
      began = performance.now()
    })
  }
}

/** Pages that wait for their next step, and pages that wait to start, in order. Shared by all hosts, as the event loop is. */
const continuing: (() => void)[] = []
const starting: (() => void)[] = []
/** Whether the next turn is scheduled. */
let isScheduled = false
/** Pages that are being rendered, or wait to start. */
let pages = 0
/** Whether a page has started in this turn of the event loop. */
let isTaken = false

/**
 * Renders a page, whose steps `nextTurn` separates. Only one page starts in each turn of the event loop: pages that wait for nothing are
 * complete before the next one starts, so none of them would see another one. None starts while another one waits for its next step:
 * the fewer pages are unfinished, the less memory the garbage collector copies, during which cached pages wait, too.
 */
export async function inTurns(render: () => Promise<void>): Promise<void> {
  pages++
  try {
    if (pages > 1 || isTaken) await waitForTurn(starting)
    isTaken = true
    setImmediate(() => {
      isTaken = false
    })
    await render()
  } finally {
    pages--
  }
}

/**
 * Yields to the event loop between two steps of rendering a page while other pages are rendered, too. Only one of them continues in each turn
 * of the loop, so that a cached page waits for one step at most. A single page does not wait: each turn takes CPU time.
 */
export function nextTurn(): Promise<void> | undefined {
  return pages < 2 ? undefined : waitForTurn(continuing)
}

function waitForTurn(queue: (() => void)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.push(resolve)
  scheduleTurn()
  return promise
}

function scheduleTurn(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(takeTurn)
}

function takeTurn(): void {
  isScheduled = false
  const next = continuing.shift() ?? starting.shift()
  if (continuing.length + starting.length > 0) scheduleTurn()
  next?.()
}

/** Milliseconds of a slice of background work, of one idle check, and of all consecutive checks. */
const BACKGROUND_SLICE = 10
const LOOK = 1
const LONGEST_REST = 250
/** Share of the time in which other work keeps the event loop busy. */
const BUSY = 0.5

/**
 * Like `createYield`, for background work: slices are shorter, and the next one starts when the event loop is idle. A request takes many
 * iterations of the event loop, and would be delayed by a slice in each.
 */
export function createBackgroundYield(): () => Promise<void> | undefined {
  let began = performance.now()

  async function rest(): Promise<void> {
    const since = performance.now()
    do {
      const before = performance.eventLoopUtilization()
      await pause(LOOK)
      if (performance.eventLoopUtilization(before).utilization < BUSY) break
    } while (performance.now() - since < LONGEST_REST)
    began = performance.now()
  }
  return () => (performance.now() - began < BACKGROUND_SLICE ? undefined : rest())
}
