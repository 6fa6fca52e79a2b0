/** How long work holds the event loop: in processor time of its thread, so that other programs on the machine do not count. */

/** Milliseconds between two looks at the loop. */
const LOOK = 1

/** Milliseconds of processor time that this thread took. */
export const processorTime = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Milliseconds of processor time that the event loop was held at most without a turn, while the work was done.
 * @returns what the work answered too
 */
export async function longestTurn<Result>(work: () => Promise<Result>): Promise<{ held: number; result: Result }> {
  let held = 0
  let before = processorTime()
  const look = () => {
    const now = processorTime()
    held = Math.max(held, now - before)
    before = now
  }
  const timer = setInterval(look, LOOK)
  try {
    const result = await work()
    return { held: Math.max(held, processorTime() - before), result }
  } finally {
    clearInterval(timer)
  }
}

/** Processor time of the loop below on a machine of 2026 with nothing else to do, in ms: what limits are meant for. */
const QUIET = 20

/**
 * How many times as long as there a fixed piece of work takes now, at least 1: a slow machine takes longer, and a busy
 * one shares caches and clock rate. Run it a few times first: uncompiled code is slow.
 */
export function slowness(): number {
  const started = processorTime()
  const counts = new Map<string, number>()
  for (let at = 0; at < 300_000; at++) {
    const word = `word ${at % 512}`
    counts.set(word, (counts.get(word) ?? 0) + word.replaceAll(/[aeiou]/g, '').length)
  }
  return Math.max(1, (processorTime() - started) / QUIET)
}

/** Milliseconds that the event loop may be held, on a quiet machine: slower ones get as many times more. */
const LONGEST_TURN = 200
/** Measured so often at most: the best counts, the others met something else. */
const TRIES = 3

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * Sends a request, and fails if it held the event loop each time.
 * @param name of the request, for the failure
 * @param undo removes what the request made, before it is sent again
 */
export async function sendQuickly(
  name: string,
  send: () => Promise<Response>,
  undo?: (answer: Answer) => Promise<unknown>,
): Promise<Answer> {
  let best = Number.POSITIVE_INFINITY
  let before = 1
  for (let tries = 1; ; tries++) {
    const { held, result } = await longestTurn(async (): Promise<Answer> => {
      const answer = await send()
      return { status: answer.status, body: await answer.text() }
    })
    if (held <= LONGEST_TURN) return result
    const after = slowness()
    best = Math.min(best, held / Math.max(before, after))
    if (best <= LONGEST_TURN) return result
    if (tries === TRIES) throw new Error(`${name} held the event loop ${Math.round(best)} ms`)
    before = after
    await undo?.(result)
  }
}
