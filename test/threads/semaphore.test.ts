import { expect } from 'chai'
import { createSemaphore } from '../../core/threads/semaphore.ts'

/** Of a queue that is as long as that of sign-ins may be. */
function checkQueue(waiting: number): void {
  if (waiting >= 100) throw new Error('full')
}

/** `undefined` once the task has ended, or why it failed. */
const resultOf = (task: Promise<unknown>): Promise<string | undefined> =>
  task.then(
    () => undefined,
    (error) => String(error),
  )

describe('a semaphore', () => {
  it('runs so many tasks at a time, in order, and rejects tasks when the queue is full', async () => {
    const limit = createSemaphore(2, checkQueue)
    const started: number[] = []
    const ends: (() => void)[] = []
    const tasks = Array.from({ length: 103 }, (_, index) =>
      resultOf(
        limit(async () => {
          started.push(index)
          await new Promise<void>((resolve) => ends.push(resolve))
        }),
      ),
    )
    expect(await tasks.at(-1)).to.equal('Error: full')
    expect(started).to.deep.equal([0, 1])
    while (started.length < 102) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    for (const end of ends) end()
    expect(await Promise.all(tasks.slice(0, -1))).to.have.length(102)
    expect(started).to.deep.equal(Array.from({ length: 102 }, (_, index) => index))
  })
  it('continues after a task that failed', async () => {
    const limit = createSemaphore(1)
    const failed = limit(async () => {
      throw new Error('no')
    })
    expect(await resultOf(failed)).to.equal('Error: no')
    expect(await limit(async () => 'next')).to.equal('next')
  })
})
