import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { RestError } from '../../core/errors.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { Owner } from '../../core/owner.ts'
import './declarations.ts'

describe('hooks.forOwner', () => {
  describe('a callback of the hook named all', () => {
    it('cannot affect others by mutating its arguments', async () => {
      const hooks = createHooks()
      for (const id of ['first', 'second']) {
        hooks.forOwner(createOwner(id).owner).addAction('all', (_name, ...args) => {
          for (const arg of args) {
            if (Array.isArray(arg)) arg.length = 0
            else if (typeof arg === 'object' && arg !== null) Reflect.set(arg, 'title', id)
          }
        })
      }
      const [list, record] = [['read'], { title: 'hello' }]
      const untouched = { list: ['read'], record: { title: 'hello' } }
      hooks.doAction('tick', list, record)
      expect({ list, record }).to.deep.equal(untouched)
      await hooks.doActionAsync('tick', list, record)
      expect({ list, record }).to.deep.equal(untouched)
      expect(hooks.applyFilters('map_meta_cap', list, 'edit_post', 1, [1])).to.deep.equal(['read'])
      expect(list).to.deep.equal(['read'])
    })
  })

  describe('an error in an owned callback', () => {
    it('is reported to its owner; the value stays unchanged and the other callbacks run', () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('buggy')
      const view = hooks.forOwner(owner)
      view.addFilter('greeting', () => {
        throw new Error('broken')
      })
      hooks.addFilter('greeting', (text) => `${text}!`)
      expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello!')
      expect(hooks.applyFilters('greeting', 'hello', 1)).to.equal('hello!')
      expect(hooks.applyFilters('greeting', 'hello', 1, 2)).to.equal('hello!')
      expect(errors).to.deep.equal(['greeting: broken', 'greeting: broken', 'greeting: broken'])
    })

    it('goes to its owner in actions and in the hook named all', () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('buggy')
      const view = hooks.forOwner(owner)
      const fail = () => {
        throw new Error('broken')
      }
      view.addAction('tick', fail)
      view.addAction('all', fail)
      hooks.doAction('tick')
      expect(errors).to.deep.equal(['all: broken', 'tick: broken'])
    })

    it('goes to its owner in async dispatches, thrown or rejected', async () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('buggy')
      const view = hooks.forOwner(owner)
      view.addFilter('greeting', async () => {
        await turn()
        throw new Error('rejected')
      })
      view.addFilter('greeting', () => {
        throw new Error('thrown')
      })
      hooks.addFilter('greeting', async (text) => `${text}!`)
      expect(await hooks.applyFiltersAsync('greeting', 'hello')).to.equal('hello!')
      expect(errors).to.deep.equal(['greeting: rejected', 'greeting: thrown'])
    })

    it('goes to its owner where a synchronous action calls an async callback', async () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('buggy')
      hooks.forOwner(owner).addAction('tick', async () => {
        await turn()
        throw new Error('late')
      })
      hooks.doAction('tick')
      await turn()
      await turn()
      expect(errors).to.deep.equal(['tick: late'])
    })

    it('passes through if it is a RestError, to refuse', async () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('gatekeeper')
      hooks.forOwner(owner).addFilter('greeting', () => {
        throw new RestError('rest_forbidden', 'No.', { status: 403 })
      })
      expect(() => hooks.applyFilters('greeting', 'hello')).to.throw(RestError, 'No.')
      const refusal = await hooks.applyFiltersAsync('greeting', 'hello').catch((error: unknown) => error)
      expect(refusal).to.be.instanceOf(RestError)
      expect(errors).to.deep.equal([])
    })
  })

  it('warns the owner of a filter callback that returns undefined, and takes null for a value', async () => {
    const hooks = createHooks()
    const { owner, undefineds } = createOwner('forgetful')
    const view = hooks.forOwner(owner)
    view.addFilter('greeting', () => undefined)
    view.addFilter('one', () => null)
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello')
    expect(await hooks.applyFiltersAsync('greeting', 'hello')).to.equal('hello')
    expect(hooks.applyFilters('one', 'hello')).to.equal(null)
    expect(undefineds).to.deep.equal(['greeting', 'greeting'])
  })

  it('hands an owned callback only the arguments it accepts', () => {
    const hooks = createHooks()
    const view = hooks.forOwner(createOwner('modest').owner)
    const counts: number[] = []
    const count = (...args: unknown[]) => {
      counts.push(args.length)
      return args[0] ?? null
    }
    for (const accepted of [0, 1, 2, 3, 9]) {
      view.addAction('tick', (...args) => void count(...args), 10, accepted)
      view.addFilter('greeting', (...args) => count(...args), 10, accepted)
    }
    hooks.doAction('tick', 'a', 'b', 'c', 'd')
    hooks.applyFilters('greeting', 'a', 'b')
    hooks.applyFilters('greeting', 'a', 'b', 'c', 'd')
    expect(counts).to.deep.equal([0, 1, 2, 3, 4, 0, 1, 2, 2, 2, 0, 1, 2, 3, 4])
  })

  it("removes another owner's callback by reference, as in WordPress", () => {
    const hooks = createHooks()
    const shout = (text: unknown) => `${text}!`
    hooks.forOwner(createOwner('loud').owner).addFilter('greeting', shout)
    const view = hooks.forOwner(createOwner('calm').owner)
    expect(view.hasFilter('greeting', shout)).to.equal(10)
    expect(view.removeFilter('greeting', shout)).to.equal(true)
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello')
  })

  it('keeps one registration for each owner where two add the same function', () => {
    const hooks = createHooks()
    const shout = (text: unknown) => `${text}!`
    const one = hooks.forOwner(createOwner('one').owner)
    const two = hooks.forOwner(createOwner('two').owner)
    one.addFilter('greeting', shout)
    two.addFilter('greeting', shout)
    two[Symbol.dispose]()
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello!')
  })

  it('reports the owner of every callback', () => {
    const hooks = createHooks()
    hooks.forOwner(createOwner('clock').owner).addAction('tick', function tock() {}, 7, 1)
    hooks.doAction('tick')
    const [tick] = hooks.inspect()
    expect(tick).to.include({ name: 'tick', count: 1 })
    expect(tick?.listeners[0]).to.include({ owner: 'clock', callback: 'tock', priority: 7, acceptedArgs: 1, calls: 1 })
  })

  describe('owners', () => {
    it('of a family of hooks are those of each, the same array until a callback of it comes or goes', () => {
      const hooks = createHooks()
      const [one, other] = ['one', 'other'].map((id) => hooks.forOwner(createOwner(id).owner))
      expect(hooks.owners('family_*')).to.deep.equal([])
      one?.addFilter('family_a' as string, () => '')
      one?.addFilter('family_b' as string, () => '')
      const undo = other?.addFilter('family_b' as string, () => '')
      const before = hooks.owners('family_*')
      expect(before).to.have.members(['one', 'other']).and.to.have.length(2)
      other?.addFilter('greeting', () => '')
      expect(hooks.owners('family_*')).to.equal(before)
      undo?.()
      expect(hooks.owners('family_*')).to.deep.equal(['one'])
      one?.[Symbol.dispose]()
      expect(hooks.owners('family_*')).to.deep.equal([])
    })
  })

  describe('dispose', () => {
    it('removes everything registered through the view, and nothing else', () => {
      const hooks = createHooks()
      const view = hooks.forOwner(createOwner('leaving').owner)
      view.addFilter('greeting', () => 'mine')
      view.addAction('tick', () => {}, 20)
      hooks.addAction('tick', function stays() {}, 20)
      view[Symbol.dispose]()
      expect(hooks.hasFilter('greeting')).to.equal(false)
      expect(hooks.inspect().map(({ name, listeners }) => [name, listeners.length])).to.deep.equal([['tick', 1]])
    })

    it('refuses what is registered afterwards', () => {
      const hooks = createHooks()
      const view = hooks.forOwner(createOwner('gone').owner)
      view[Symbol.dispose]()
      expect(() => view.addAction('tick', () => {})).to.throw('Extension gone was unloaded')
      expect(hooks.hasAction('tick')).to.equal(false)
    })

    it('lets a dispatch under way finish with the callbacks it began with', async () => {
      const hooks = createHooks()
      const view = hooks.forOwner(createOwner('leaving').owner)
      hooks.addFilter('greeting', (text) => {
        view[Symbol.dispose]()
        return text
      })
      view.addFilter('greeting', (text) => `${text} same`)
      view.addFilter('greeting', (text) => `${text} later`, 20)
      expect(await hooks.applyFiltersAsync('greeting', 'hello')).to.equal('hello same later')
      expect(await hooks.applyFiltersAsync('greeting', 'hello')).to.equal('hello')
    })
  })

  describe('limits of an async dispatch', () => {
    it('passes over an owned callback that takes too long, and discards what it answers later', async () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('slow')
      const view = hooks.forOwner(owner)
      const late = Promise.withResolvers<unknown>()
      let signal: AbortSignal | undefined
      view.addFilter('greeting', () => {
        signal = view.currentSignal()
        return late.promise
      })
      hooks.addFilter('greeting', (text) => `${text}!`)
      const answer = await hooks.limited({ timeout: 5 }).applyFiltersAsync('greeting', 'hello')
      expect(answer).to.equal('hello!')
      expect(signal?.aborted).to.equal(true)
      expect(errors).to.deep.equal(['greeting: A callback of greeting took longer than 5 ms.'])
      late.reject(new Error('too late to matter'))
      await turn()
      expect(errors).to.have.lengthOf(1)
    })

    it('notifies the owner of a failed callback, then the caller of the dispatch', async () => {
      const hooks = createHooks()
      const told: string[] = []
      const fail = (id: string, callback: () => void | Promise<void>) => {
        const { owner } = createOwner(id)
        const onError = (error: unknown, hook: string) => {
          owner.onError(error, hook)
          told.push(`owner ${id}`)
        }
        hooks.forOwner({ ...owner, onError }).addAction('slow', callback)
      }
      fail('throws', () => {
        throw new Error('thrown')
      })
      fail('rejects', () => Promise.reject(new Error('rejected')))
      fail('refuses', () => {
        throw new RestError('no', 'No.', { status: 403 })
      })
      fail('hangs', () => new Promise<void>(() => {}))
      fail('works', () => {})
      const onError = (_error: unknown, ownerId: string) => told.push(`dispatcher of ${ownerId}`)
      await hooks.limited({ timeout: 5, cancelable: false, onError }).doActionAsync('slow')
      const failed = ['throws', 'rejects', 'refuses', 'hangs']
      expect(told).to.deep.equal(failed.flatMap((id) => [`owner ${id}`, `dispatcher of ${id}`]))
    })

    it('does not notify the caller of a rejection that is thrown', async () => {
      const hooks = createHooks()
      const told: string[] = []
      hooks.forOwner(createOwner('refuses').owner).addAction('slow', () => {
        throw new RestError('no', 'No.', { status: 403 })
      })
      const dispatch = hooks.limited({ onError: (_error, ownerId) => told.push(ownerId) }).doActionAsync('slow')
      expect(await dispatch.catch((error) => error)).to.be.instanceOf(RestError)
      expect(told).to.deep.equal([])
    })

    it('fires the signal when the owner is unloaded', async () => {
      const hooks = createHooks()
      const { owner, unload } = createOwner('leaving')
      const view = hooks.forOwner(owner)
      const seen: unknown[] = []
      view.addAction('slow', async () => {
        const before = view.currentSignal()?.aborted
        unload()
        seen.push(before, view.currentSignal()?.aborted)
      })
      await hooks.doActionAsync('slow')
      expect(seen).to.deep.equal([false, true])
    })

    it('counts no error for a callback that stops because the client disconnected', async () => {
      const hooks = createHooks()
      const { owner, errors } = createOwner('obedient')
      const view = hooks.forOwner(owner)
      const client = new AbortController()
      view.addAction('slow', async () => {
        client.abort()
        view.currentSignal()?.throwIfAborted()
      })
      await hooks.limited({ signal: client.signal }).doActionAsync('slow')
      expect(errors).to.deep.equal([])
    })
  })
})

/** An owner that notes what it is told, as `hook: message`. */
describe('an infinite recursion of synchronous hooks', () => {
  it('is reported to its owner alone, even if others dispatch hooks before it has ended', () => {
    const hooks = createHooks()
    const [loop, other] = [createOwner('loop'), createOwner('other')]
    hooks.forOwner(loop.owner).addAction('all', () => hooks.doAction('tick'))
    hooks.forOwner(other.owner).addFilter('greeting', (text) => hooks.applyFilters('greeting_again', text))
    hooks.forOwner(other.owner).addFilter('greeting_again', (text) => `${text}!`)
    hooks.applyFilters('greeting', 'hello')
    expect(other.errors).to.deep.equal([])
    expect(loop.errors.join()).to.contain('Hooks call each other infinitely')
  })
})

describe('an owner that adds callbacks again and again', () => {
  it('may add a thousand to a hook, and is told that there are too many', () => {
    const hooks = createHooks()
    const view = hooks.forOwner(createOwner('flood').owner)
    for (let count = 0; count < 1000; count++) view.addAction('tick', () => {})
    expect(() => view.addAction('tick', () => {})).to.throw(RangeError, 'at most 1000 callbacks to tick')
    view.addAction('slow', () => {})
  })

  it('may add and remove as many as it likes, and the same one at every request', () => {
    const hooks = createHooks()
    const view = hooks.forOwner(createOwner('tidy').owner)
    const same = () => {}
    for (let count = 0; count < 1500; count++) {
      view.addAction('tick', same)
      view.addAction('tick', () => {})()
      const removed = () => {}
      view.addAction('tick', removed)
      view.removeAction('tick', removed)
    }
    expect(hooks.inspect().find(({ name }) => name === 'tick')?.listeners).to.have.length(1)
  })
})

function createOwner(id: string) {
  const controller = new AbortController()
  const errors: string[] = []
  const undefineds: string[] = []
  const owner: Owner = {
    id,
    signal: controller.signal,
    onError: (error, hook) => errors.push(`${hook}: ${error instanceof Error ? error.message : error}`),
    onUndefined: (hook) => undefineds.push(hook),
  }
  return { owner, errors, undefineds, unload: () => controller.abort() }
}
