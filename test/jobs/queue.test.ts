import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createQueue } from '../../cms/jobs/queue.ts'
import type { QueueOptions } from '../../cms/jobs/types.ts'
import { createLog } from '../../core/log.ts'

describe('jobs.createQueue', () => {
  let errors: string[]

  beforeEach(() => {
    errors = []
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => mock.timers.reset())

  const create = (options: Omit<QueueOptions<number>, 'name'>) =>
    createQueue(
      { name: 'mail', ...options },
      {
        owner: {
          id: 'shop',
          signal: new AbortController().signal,
          onError: (error, what) => errors.push(`${what}: ${error instanceof Error ? error.message : error}`),
        },
        log: createLog('silent'),
      },
    )
  /** Lets time pass, and what it sets going happen. */
  const pass = async (milliseconds: number) => {
    await turn()
    mock.timers.tick(milliseconds)
    await turn()
  }

  it('gives others a turn and names its owner where its work pushes itself without an end', async () => {
    let count = 0
    const { queue, close } = create({
      async work(item) {
        count++
        queue.push(item)
      },
    })
    queue.push(1)
    // If it did not, this would never come to its end.
    while (errors.length < 2) await turn()
    expect(count).to.be.at.least(2_000)
    for (const error of errors) expect(error).to.match(/^queue mail: It restarted itself 1000 times within \d+ ms\.$/)
    close()
  })

  it('counts no work that is pushed from outside', async () => {
    const { queue } = create({ work: async () => {}, limit: 3_000 })
    for (let item = 1; item <= 2_500; item++) queue.push(item)
    await queue.idle()
    expect(errors).to.deep.equal([])
  })

  it('works on everything, at most `concurrency` at once', async () => {
    let running = 0
    let most = 0
    const done: number[] = []
    const { queue } = create({
      concurrency: 3,
      async work(item) {
        most = Math.max(most, ++running)
        await turn()
        running--
        done.push(item)
      },
    })
    for (let item = 1; item <= 10; item++) expect(queue.push(item)).to.equal(true)
    expect(queue.size).to.equal(10)
    await queue.idle()
    expect(most).to.equal(3)
    expect(done).to.have.members([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('tries again after 1, 2, 4, … seconds, then gives the item up to its owner', async () => {
    let tries = 0
    const { queue } = create({
      retries: 3,
      async work() {
        tries++
        throw new Error(`no ${tries}`)
      },
    })
    queue.push(1)
    const counts: number[] = []
    for (const wait of [0, 999, 1, 1999, 1, 3999, 1, 60_000]) {
      await pass(wait)
      counts.push(tries)
    }
    expect(counts).to.deep.equal([1, 1, 2, 2, 3, 3, 4, 4])
    expect(errors).to.deep.equal(['queue mail: no 4'])
    await queue.idle()
  })

  it('waits for the error’s retryAfterSeconds, while other items continue', async () => {
    const tried: number[] = []
    const { queue } = create({
      concurrency: 1,
      async work(item) {
        tried.push(item)
        if (tried.length === 1) throw Object.assign(new Error('busy'), { retryAfterSeconds: 30 })
      },
    })
    queue.push(1)
    queue.push(2)
    await pass(29_999)
    expect(tried).to.deep.equal([1, 2])
    await pass(1)
    expect(tried).to.deep.equal([1, 2, 1])
  })

  it('understands the value of a Retry-After header, seconds or a date', async () => {
    for (const retryAfter of ['30', new Date(Date.now() + 30_000).toUTCString()]) {
      let tries = 0
      const { queue } = create({
        async work() {
          if (++tries === 1) throw Object.assign(new Error('busy'), { retryAfter })
        },
      })
      queue.push(1)
      await pass(28_000)
      expect(tries, retryAfter).to.equal(1)
      await pass(2000)
      expect(tries, retryAfter).to.equal(2)
    }
  })

  it('waits no longer than `longestWait` between two tries', async () => {
    let tries = 0
    const { queue } = create({
      retries: 50,
      longestWait: 3000,
      async work() {
        tries++
        throw new Error('no')
      },
    })
    queue.push(1)
    for (const wait of [1000, 2000, 3000, 3000, 3000]) await pass(wait)
    expect(tries).to.equal(6)
  })

  describe('with `merge`', () => {
    const merge = (waiting: number, added: number) => waiting + added

    it('makes one of all that wait behind what is worked on', async () => {
      const first = Promise.withResolvers<void>()
      const done: number[] = []
      const { queue } = create({
        merge,
        concurrency: 8,
        async work(item) {
          done.push(item)
          if (done.length === 1) await first.promise
        },
      })
      for (const item of [1, 20, 300]) queue.push(item)
      expect(queue.size).to.equal(2)
      first.resolve()
      await queue.idle()
      expect(done).to.deep.equal([1, 320])
    })

    it('merges new items into one that waits for a retry, without retrying sooner', async () => {
      const tried: number[] = []
      const { queue } = create({
        merge,
        async work(item) {
          tried.push(item)
          if (tried.length < 3) throw new Error('away')
        },
      })
      queue.push(1)
      await pass(0)
      queue.push(20)
      await pass(999)
      expect(tried).to.deep.equal([1])
      await pass(1)
      queue.push(300)
      expect(queue.size).to.equal(1)
      await pass(2000)
      await queue.idle()
      expect(tried).to.deep.equal([1, 21, 321])
    })

    it('keeps what comes during a try that fails', async () => {
      const first = Promise.withResolvers<void>()
      const tried: number[] = []
      const { queue } = create({
        merge,
        async work(item) {
          tried.push(item)
          if (tried.length === 1) await first.promise
        },
      })
      queue.push(1)
      queue.push(20)
      first.reject(new Error('away'))
      await pass(1000)
      await queue.idle()
      expect(tried).to.deep.equal([1, 21])
    })
  })

  describe('with `repeatAfter`', () => {
    it('repeats a successful item after repeatAfter, without counting it as waiting', async () => {
      const done: number[] = []
      const { queue } = create({ repeatAfter: 5000, work: async (item) => void done.push(item) })
      queue.push(1)
      await pass(4999)
      expect([done, queue.size]).to.deep.equal([[1], 0])
      await pass(1)
      await pass(60_000)
      expect(done).to.deep.equal([1, 1])
    })

    it('counts from the try that succeeds', async () => {
      const tried: number[] = []
      const { queue } = create({
        repeatAfter: 5000,
        async work(item) {
          tried.push(item)
          if (tried.length === 1) throw new Error('away')
        },
      })
      queue.push(1)
      await pass(1000)
      await pass(4999)
      expect(tried).to.deep.equal([1, 1])
      await pass(1)
      expect(tried).to.deep.equal([1, 1, 1])
    })

    it('repeats what was merged into a repetition', async () => {
      const done: number[] = []
      const second = Promise.withResolvers<void>()
      const { queue } = create({
        repeatAfter: 5000,
        merge: (waiting, added) => waiting + added,
        async work(item) {
          done.push(item)
          if (done.length === 2) await second.promise
        },
      })
      queue.push(1)
      await pass(4000)
      queue.push(20)
      await pass(1000)
      queue.push(300)
      // The repetition of 1 waits behind 20, and takes 300 with it, which was not done before.
      second.resolve()
      await queue.idle()
      expect(done).to.deep.equal([1, 20, 301])
      await pass(5000)
      await pass(0)
      expect(done.slice(3).reduce((sum, item) => sum + item)).to.equal(321)
    })

    it('forgets repetitions when it is closed', async () => {
      const done: number[] = []
      const { queue, close } = create({ repeatAfter: 5000, work: async (item) => void done.push(item) })
      queue.push(1)
      await pass(0)
      close()
      await pass(5000)
      expect(done).to.deep.equal([1])
    })
  })

  it('aborts an attempt that takes too long', async () => {
    let told = false
    const { queue } = create({
      timeout: 500,
      retries: 0,
      work: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            told = true
          })
        }),
    })
    queue.push(1)
    await pass(500)
    expect(told).to.equal(true)
    expect(errors).to.deep.equal(['queue mail: An item of the queue mail took longer than 500 ms.'])
    await queue.idle()
  })

  it('drops the oldest waiting item past its limit', async () => {
    const done: number[] = []
    const { queue } = create({ concurrency: 1, limit: 2, work: async (item) => void done.push(item) })
    const accepted = [1, 2, 3, 4].map((item) => queue.push(item))
    await queue.idle()
    expect(accepted).to.deep.equal([true, true, true, false])
    expect(done).to.deep.equal([1, 3, 4])
  })

  it('aborts and forgets everything when it is closed', async () => {
    let aborted = false
    const { queue, close } = create({
      concurrency: 1,
      work: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true
          })
        }),
    })
    queue.push(1)
    queue.push(2)
    close()
    await turn()
    expect(aborted).to.equal(true)
    expect(queue.push(3)).to.equal(false)
    await queue.idle()
    expect(errors).to.deep.equal([])
  })
})
