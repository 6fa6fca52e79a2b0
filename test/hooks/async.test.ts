import { AsyncLocalStorage } from 'node:async_hooks'
import { mock } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createHooks } from '../../core/hooks/index.ts'
import './declarations.ts'

describe('async hooks', () => {
  describe('applyFiltersAsync', () => {
    it('awaits each callback before the next one, in order of priority', async () => {
      const { addFilter, applyFiltersAsync } = createHooks()
      const order: string[] = []
      addFilter('greeting', async (text) => {
        order.push('slow begins')
        await turn()
        order.push('slow ends')
        return `${text} slow`
      })
      addFilter('greeting', (text) => {
        order.push('late')
        return `${text} late`
      })
      addFilter('greeting', (text) => `${text} early`, 5)
      expect(await applyFiltersAsync('greeting', 'so')).to.equal('so early slow late')
      expect(order).to.deep.equal(['slow begins', 'slow ends', 'late'])
    })

    it('rejects with what a callback of the bare registry throws or rejects with', async () => {
      const { addFilter, applyFiltersAsync } = createHooks()
      addFilter('thrown', () => {
        throw new Error('thrown')
      })
      addFilter('rejected', async () => {
        await turn()
        throw new Error('rejected')
      })
      expect(await messageOf(applyFiltersAsync('thrown', 1))).to.equal('thrown')
      expect(await messageOf(applyFiltersAsync('rejected', 1))).to.equal('rejected')
    })

    it('counts as a dispatch at once', () => {
      const { applyFiltersAsync, didFilter } = createHooks()
      void applyFiltersAsync('greeting', '')
      expect(didFilter('greeting')).to.equal(1)
    })
  })

  describe('doActionAsync', () => {
    it('hands every callback the same arguments', async () => {
      const { addAction, doActionAsync } = createHooks()
      const seen: unknown[] = []
      const note = async (...args: unknown[]) => {
        seen.push(args)
      }
      addAction('saved', note, 10, 1)
      addAction('saved', note, 20)
      await doActionAsync('saved', 1, 'two', 3, 'four')
      expect(seen).to.deep.equal([[1], [1, 'two', 3, 'four']])
    })

    it('awaits what listens to all first', async () => {
      const { addAction, doActionAsync } = createHooks()
      const order: unknown[] = []
      addAction('all', async (name) => {
        await turn()
        order.push(`all of ${name}`)
      })
      addAction('saved', () => {
        order.push('saved')
      })
      await doActionAsync('saved')
      expect(order).to.deep.equal(['all of saved', 'saved'])
    })
  })

  describe('the current hook', () => {
    it('of one chain is never seen in another that runs at the same time', async () => {
      const { addFilter, applyFiltersAsync, currentFilter, doingFilter } = createHooks()
      const seen: unknown[] = []
      const watch = async (other: unknown) => {
        for (let step = 0; step < 3; step++) {
          await turn()
          seen.push([currentFilter(), doingFilter(String(other))])
        }
      }
      addFilter('one', watch)
      addFilter('two', watch)
      await Promise.all([applyFiltersAsync('one', 'two'), applyFiltersAsync('two', 'one')])
      expect(seen).to.have.lengthOf(6)
      expect(seen).to.deep.include(['one', false])
      expect(seen).to.deep.include(['two', false])
      expect(seen.filter((pair) => Array.isArray(pair) && pair[1] !== false)).to.deep.equal([])
    })

    it('of a synchronous dispatch inside an async one is the inner hook, then the outer one again', async () => {
      const { addAction, doActionAsync, doAction, currentAction, doingAction } = createHooks()
      const seen: unknown[] = []
      addAction('inner', () => {
        seen.push([currentAction(), doingAction('outer')])
      })
      addAction('outer', async () => {
        doAction('inner')
        seen.push(currentAction())
        await turn()
        doAction('inner')
        seen.push(currentAction())
      })
      await doActionAsync('outer')
      expect(seen).to.deep.equal([['inner', true], 'outer', ['inner', true], 'outer'])
    })

    it('of an async dispatch begun inside a synchronous one is its own; the synchronous one is over', async () => {
      const { addAction, doActionAsync, doAction, currentAction, doingAction } = createHooks()
      const seen: unknown[] = []
      let begun: Promise<void> | undefined
      addAction('outer', () => {
        begun = doActionAsync('inner')
        seen.push(currentAction())
      })
      addAction('inner', async () => {
        await turn()
        seen.push([currentAction(), doingAction('outer')])
      })
      doAction('outer')
      await begun
      expect(seen).to.deep.equal(['outer', ['inner', false]])
    })

    it('of nested async dispatches is the inner one, both are doing, and afterwards none', async () => {
      const { addAction, doActionAsync, currentAction, doingAction } = createHooks()
      const seen: unknown[] = []
      addAction('outer', async () => {
        await doActionAsync('inner')
        seen.push(currentAction())
      })
      addAction('inner', async () => {
        await turn()
        seen.push([currentAction(), doingAction('outer'), doingAction('inner')])
      })
      await doActionAsync('outer')
      expect(seen).to.deep.equal([['inner', true, true], 'outer'])
      expect([currentAction(), doingAction()]).to.deep.equal([false, false])
    })

    it('is none after a rejection, in the caller as in what the callback left behind', async () => {
      const { addAction, doActionAsync, currentAction } = createHooks()
      let left: Promise<unknown> | undefined
      addAction('broken', async () => {
        left = turn().then(turn).then(currentAction)
        throw new Error('broken')
      })
      await messageOf(doActionAsync('broken'))
      expect(currentAction()).to.equal(false)
      expect(await left).to.equal(false)
    })

    it("leaves the caller's own AsyncLocalStorage alone", async () => {
      const { addAction, doActionAsync } = createHooks()
      const request = new AsyncLocalStorage<string>()
      const seen: unknown[] = []
      addAction('saved', async () => {
        await turn()
        seen.push(request.getStore())
      })
      await Promise.all(['one', 'two'].map((id) => request.run(id, () => doActionAsync('saved'))))
      expect(seen).to.have.members(['one', 'two'])
    })
  })

  describe('limited', () => {
    it('hands the callback a signal that fires when the client leaves, also in dispatches it makes itself', async () => {
      const { addAction, doActionAsync, limited, currentSignal } = createHooks()
      const client = new AbortController()
      const reasons: unknown[] = []
      addAction('outer', () => doActionAsync('inner'))
      addAction('inner', async () => {
        await turn()
        client.abort('left')
        reasons.push(currentSignal()?.reason)
      })
      await limited({ signal: client.signal }).doActionAsync('outer')
      expect(reasons).to.deep.equal(['left'])
    })

    it('rejects on the bare registry when a callback takes longer than the timeout, and its signal fires', async () => {
      const { addAction, limited, currentSignal } = createHooks()
      let signal: AbortSignal | undefined
      addAction('slow', async () => {
        signal = currentSignal()
        await new Promise(() => {})
      })
      expect(await messageOf(limited({ timeout: 5 }).doActionAsync('slow'))).to.equal(
        'A callback of slow took longer than 5 ms.',
      )
      expect(signal?.aborted).to.equal(true)
    })

    it('also when a fake clock ended while a callback ran', async () => {
      const { addAction, limited } = createHooks()
      addAction('slow', () => new Promise<void>(() => {}))
      // By then, the clock of the calls before has stopped.
      await wait(50)
      mock.timers.enable({ apis: ['setInterval'] })
      const longer = limited({ timeout: 200 }).doActionAsync('slow')
      await turn()
      mock.timers.reset()
      const ends = limited({ timeout: 150 }).doActionAsync('slow')
      expect(await messageOf(ends)).to.equal('A callback of slow took longer than 150 ms.')
      expect(await messageOf(longer)).to.equal('A callback of slow took longer than 200 ms.')
    })

    it('knows no signal outside an async dispatch, or in one without limits', async () => {
      const { addAction, doActionAsync, doAction, currentSignal } = createHooks()
      const seen: unknown[] = [currentSignal()]
      addAction('saved', () => {
        seen.push(currentSignal())
      })
      doAction('saved')
      await doActionAsync('saved')
      expect(seen).to.deep.equal([undefined, undefined, undefined])
    })
  })
})

/** The message a promise was rejected with. */
async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('It was not rejected.')
}
