import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createArrivals } from '../../cms/changes/arrivals.ts'
import { until } from '../support/until.ts'

describe('waiting for entries of the change log', () => {
  let newest: number
  let polls: number
  let isBroken: boolean
  const create = () =>
    createArrivals(async () => {
      polls++
      if (isBroken) throw new Error('The database is down.')
      return newest
    }, 5)
  const forever = new AbortController().signal

  beforeEach(() => {
    newest = 1
    polls = 0
    isBroken = false
  })

  it('polls once for all readers, and only while there are any', async () => {
    const arrivals = create()
    // The first poll wakes readers in any case: they may have missed an entry before it.
    await Promise.all(Array.from({ length: 20 }, () => arrivals.next(forever)))
    expect(polls).to.equal(1)
    await wait(50)
    expect(polls).to.be.below(3)
    const readers = Array.from({ length: 20 }, () => arrivals.next(forever))
    newest = 2
    await Promise.all(readers)
    arrivals.close()
  })

  it('does not wake readers without a new entry', async () => {
    const arrivals = create()
    await arrivals.next(forever)
    let isAwake = false
    const reader = arrivals.next(forever).then(() => {
      isAwake = true
    })
    const before = polls
    await until(() => polls > before + 3)
    expect(isAwake).to.equal(false)
    arrivals.notify()
    await reader
    arrivals.close()
  })

  it('continues after an error of the database', async () => {
    isBroken = true
    const arrivals = create()
    const reader = arrivals.next(forever)
    await until(() => polls > 2)
    isBroken = false
    await reader
    arrivals.close()
  })

  it('ends with its signal, and when it is closed', async () => {
    const arrivals = create()
    await arrivals.next(AbortSignal.abort())
    const stopping = new AbortController()
    const one = arrivals.next(stopping.signal)
    stopping.abort()
    await one
    const other = arrivals.next(forever)
    arrivals.close()
    await other
    await arrivals.next(forever)
  })
})
