import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect } from 'chai'
import { inTurns, nextTurn } from '../../cms/threads/yielding.ts'

/** Counts the iterations of the event loop until it is stopped. */
function countIterations() {
  let isStopped = false
  const counter = { now: 0, stop: () => (isStopped = true) }
  const count = () => {
    counter.now++
    if (!isStopped) setImmediate(count)
  }
  setImmediate(count)
  return counter
}

describe('Pages that are rendered at the same time', () => {
  it('start in different iterations of the event loop, even if each of them is complete at once', async () => {
    const loop = countIterations()
    const started: number[] = []
    const pages: Promise<void>[] = []
    for (let page = 0; page < 4; page++) {
      pages.push(
        inTurns(async () => {
          await nextTurn()
          started.push(loop.now)
        }),
      )
      // Requests arrive in the same iteration, each after the microtasks of the one before.
      for (let task = 0; task < 20; task++) await null
    }
    await Promise.all(pages)
    loop.stop()
    expect(new Set(started).size).to.equal(4)
  })

  it('do not start while another one waits for its next step', async () => {
    const steps: string[] = []
    const pages = ['first', 'second', 'third'].map((page) =>
      inTurns(async () => {
        for (let step = 1; step <= 3; step++) {
          await nextTurn()
          steps.push(`${page} ${step}`)
        }
      }),
    )
    await Promise.all(pages)
    const ofEach = ['first', 'second', 'third'].map((page) => [1, 2, 3].map((step) => `${page} ${step}`))
    expect(steps).to.deep.equal(ofEach.flat())
  })

  it('start while another one waits for something else', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>()
    const waiting = inTurns(() => answer)
    await inTurns(async () => {
      await nextTurn()
    })
    resolve()
    await waiting
  })

  it('do not make a single page wait', async () => {
    await nextIteration()
    const loop = countIterations()
    await inTurns(async () => {
      for (let step = 0; step < 5; step++) await nextTurn()
    })
    loop.stop()
    expect(loop.now).to.equal(0)
  })
})
