/**
 * A semaphore: runs at most `atOnce` tasks at a time; others wait in the order in which they came.
 * @param checkQueue throws to reject a task; receives the number of waiting tasks
 */
export function createSemaphore(
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
      // The permit passes to the first task in the queue: released, a task that comes now could overtake it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
