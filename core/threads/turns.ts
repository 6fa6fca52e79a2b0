/**
 * Runs a bounded number of tasks at a time, the others in the order in which they came.
 * @param checkQueue throws to send somebody away; it is told how many wait already
 */
export function createTurns(
  atOnce: number,
  checkQueue: (waiting: number) => void = () => {},
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < atOnce) {
      running++
    } else {
      checkQueue(waiting.length)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await task()
    } finally {
      // The turn is handed on, not given back, so that nobody slips in before the first in the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
