import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import './declarations.ts'

describe('hooks', () => {
  describe('addFilter', () => {
    it('hands a callback all arguments where acceptedArgs is left out', () => {
      const { addFilter, applyFilters } = createHooks()
      addFilter('greeting', (...args) => args.length)
      expect(applyFilters('greeting', 'hello', 'two', 'three', 'four', 'five')).to.equal(5)
    })

    it('works at 10 where the priority is left out', () => {
      const { addFilter, hasFilter } = createHooks()
      const callback = (value: unknown) => value
      addFilter('greeting', callback)
      expect(hasFilter('greeting', callback)).to.equal(10)
    })

    it('answers a function that removes the callback, and that may be called again', () => {
      const { addFilter, applyFilters, hasFilter } = createHooks()
      const undo = addFilter('greeting', (text) => `${text}!`)
      undo()
      undo()
      expect(applyFilters('greeting', 'hello')).to.equal('hello')
      expect(hasFilter('greeting')).to.equal(false)
    })

    it('refuses a callback that is no function, such as the namespace that @wordpress/hooks wants', () => {
      const untyped: object = createHooks()
      const addFilter: (...args: unknown[]) => unknown = Reflect.get(untyped, 'addFilter')
      expect(() => addFilter('greeting', 'my-plugin/greeting', () => '')).to.throw(TypeError, 'must be a function')
      expect(() => addFilter('greeting', () => '', Number.NaN)).to.throw(TypeError, 'priority')
    })

    it('leaves the value as it was where a callback returns undefined, and takes null for a value', () => {
      const { addFilter, applyFilters } = createHooks()
      addFilter('greeting', () => undefined)
      expect(applyFilters('greeting', 'hello')).to.equal('hello')
      addFilter('greeting', () => null, 20)
      expect(applyFilters('greeting', 'hello')).to.equal(null)
    })
  })

  describe('an error on the bare registry', () => {
    it('propagates to the caller of the dispatch, and later callbacks do not run', () => {
      const { addFilter, applyFilters } = createHooks()
      let reached = false
      addFilter('greeting', () => {
        throw new Error('broken')
      })
      addFilter('greeting', () => {
        reached = true
      })
      expect(() => applyFilters('greeting', 'hello')).to.throw('broken')
      expect(reached).to.equal(false)
    })

    it('leaves no trace in currentFilter and doingFilter', () => {
      const { addAction, doAction, currentAction, currentFilter, doingAction, doingFilter } = createHooks()
      addAction('outer', () => doAction('inner'))
      addAction('inner', () => {
        throw new Error('broken')
      })
      expect(() => doAction('outer')).to.throw('broken')
      expect([currentFilter(), currentAction(), doingFilter(), doingAction('outer')]).to.deep.equal([
        false,
        false,
        false,
        false,
      ])
    })
  })

  describe('the hook named all', () => {
    it('gets the name and every argument before the hook runs, and cannot change the value', () => {
      const { addAction, addFilter, applyFilters } = createHooks()
      const seen: unknown[] = []
      addAction('all', (...args) => seen.push(args), 10, 1)
      addFilter('greeting', (text) => `${text}!`)
      expect(applyFilters('greeting', 'hello', 'Ada', 'en')).to.equal('hello!')
      expect(seen).to.deep.equal([['greeting', 'hello', 'Ada', 'en']])
    })

    it('reports hooks without callbacks', () => {
      const { addAction, doAction } = createHooks()
      const seen: unknown[] = []
      addAction('all', (name) => {
        seen.push(name)
      })
      doAction('lonely')
      expect(seen).to.deep.equal(['lonely'])
    })
  })

  describe('inspect', () => {
    it('lists every hook by name, its callbacks in the order in which they run', () => {
      const hooks = createHooks()
      hooks.addFilter('greeting', function upper(text) {
        return String(text).toUpperCase()
      })
      hooks.addFilter('greeting', (text) => text, 5, 1)
      hooks.applyFilters('greeting', 'one')
      hooks.applyFilters('greeting', 'two')
      hooks.doAction('lonely')
      const [greeting, lonely] = hooks.inspect()
      expect(greeting).to.include({ name: 'greeting', count: 2 })
      expect(lonely).to.deep.equal({ name: 'lonely', count: 1, listeners: [] })
      const [first, second] = greeting?.listeners ?? []
      expect(first).to.include({ owner: '', callback: '(anonymous)', priority: 5, acceptedArgs: 1, calls: 2 })
      expect(second).to.include({ owner: '', callback: 'upper', priority: 10, acceptedArgs: null, calls: 2 })
    })

    describe('says what a callback took', () => {
      /** Typed as one that is known at run time only. */
      const NAME: string = 'slow'
      /** Milliseconds of work that nobody can do faster. */
      const work = (milliseconds: number) => {
        const end = performance.now() + milliseconds
        while (performance.now() < end);
      }
      const timeOf = (hooks: HookRegistry, name: string) =>
        hooks
          .inspect()
          .find((hook) => hook.name === name)
          ?.listeners.map(({ time }) => time) ?? []

      for (const [kind, run] of [
        ['filters', (hooks: HookRegistry) => hooks.applyFilters(NAME, 'x', 1)],
        ['actions', (hooks: HookRegistry) => hooks.doAction(NAME, 1, 2, 3)],
        ['asynchronous filters', (hooks: HookRegistry) => hooks.applyFiltersAsync(NAME, 'x')],
        ['asynchronous actions', (hooks: HookRegistry) => hooks.doActionAsync(NAME)],
      ] as const) {
        it(`of ${kind}, of few calls and of many`, async () => {
          const hooks = createHooks()
          hooks.addFilter(NAME, (value) => {
            work(0.2)
            return value
          })
          hooks.addFilter(NAME, (value) => value)
          for (let calls = 0; calls < 10; calls++) await run(hooks)
          expect(timeOf(hooks, NAME)[0]).to.be.at.least(2)
          for (let calls = 10; calls < 320; calls++) await run(hooks)
          const [slow = 0, quick = 0] = timeOf(hooks, NAME)
          expect(slow).to.be.at.least(64)
          expect(quick).to.be.below(slow)
        })
      }

      it('with what it waited for, and when it throws', async () => {
        const hooks = createHooks()
        hooks.addAction('slow', () => wait(5))
        hooks.addAction('broken', () => {
          work(1)
          throw new Error('broken')
        })
        await hooks.doActionAsync('slow')
        expect(() => hooks.doAction('broken')).to.throw('broken')
        // A timer may be early by less than a millisecond.
        expect(timeOf(hooks, 'slow')[0]).to.be.at.least(4)
        expect(timeOf(hooks, 'broken')[0]).to.be.at.least(1)
      })
    })

    it('keeps the calls of a callback when its neighbors come and go', () => {
      const hooks = createHooks()
      hooks.addAction('tick', function steady() {})
      hooks.doAction('tick')
      const undo = hooks.addAction('tick', function visitor() {})
      hooks.doAction('tick')
      undo()
      hooks.doAction('tick')
      expect(hooks.inspect()[0]?.listeners.map(({ callback, calls }) => [callback, calls])).to.deep.equal([
        ['steady', 3],
      ])
    })

    it('forgets a name that was listened to and never dispatched', () => {
      const hooks = createHooks()
      for (let index = 0; index < 100; index++) hooks.addAction(`once_${index}`, () => {})()
      expect(hooks.inspect()).to.deep.equal([])
    })
  })

  it('are worlds of their own', () => {
    const one = createHooks()
    const other = createHooks()
    one.addFilter('greeting', () => 'changed')
    expect(other.applyFilters('greeting', 'hello')).to.equal('hello')
  })
})
