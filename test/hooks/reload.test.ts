import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createHooks } from '../../core/hooks/index.ts'
import type { Owner } from '../../core/owner.ts'
import './declarations.ts'

describe('a staged view', () => {
  it('is invisible to dispatches until commit, then public at once', () => {
    const hooks = createHooks()
    const staged = hooks.forOwner(owner('shop'), { staged: true })
    staged.addFilter('greeting', (text) => `${text}!`)
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello')
    expect(staged.applyFilters('greeting', 'hello')).to.equal('hello')
    staged.commit()
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello!')
  })

  it('sees its own registrations and removals', () => {
    const hooks = createHooks()
    const visitor = () => {}
    hooks.addAction('tick', visitor)
    const staged = hooks.forOwner(owner('shop'), { staged: true })
    const own = () => {}
    staged.addAction('tock_of_shop', own, 30)
    expect(staged.hasAction('tock_of_shop', own)).to.equal(30)
    expect(hooks.hasAction('tock_of_shop')).to.equal(false)
    expect(staged.removeAction('tick', visitor)).to.equal(true)
    expect(staged.removeAction('tick', visitor)).to.equal(false)
    expect(staged.hasAction('tick')).to.equal(false)
    expect(hooks.hasAction('tick')).to.equal(true)
    staged.commit()
    expect(hooks.hasAction('tick')).to.equal(false)
  })

  it('leaves nothing behind when it is disposed of instead', () => {
    const hooks = createHooks()
    const visitor = () => {}
    hooks.addAction('tick', visitor)
    const staged = hooks.forOwner(owner('shop'), { staged: true })
    staged.addFilter('greeting', () => 'changed')
    staged.removeAction('tick', visitor)
    staged[Symbol.dispose]()
    expect(() => staged.commit()).to.throw('was unloaded')
    expect(hooks.inspect().map(({ name }) => name)).to.deep.equal(['tick'])
  })

  it('undoes a registration before commit and after', () => {
    const hooks = createHooks()
    const staged = hooks.forOwner(owner('shop'), { staged: true })
    const early = staged.addFilter('greeting', () => 'early')
    const late = staged.addFilter('greeting', () => 'late')
    early()
    staged.commit()
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('late')
    late()
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello')
  })

  it('does not count the calls of its neighbors twice', () => {
    const hooks = createHooks()
    hooks.addAction('tick', function steady() {})
    hooks.doAction('tick')
    const staged = hooks.forOwner(owner('shop'), { staged: true })
    staged.addAction('tick', () => {})
    staged.hasAction('tick')
    staged.commit()
    expect(hooks.inspect()[0]?.listeners[0]?.calls).to.equal(1)
  })
})

describe('hooks.swap', () => {
  it('puts the new version in the place of the old one, so that the order stays', () => {
    const hooks = createHooks()
    const old = hooks.forOwner(owner('shop'))
    old.addFilter('greeting', (text) => `${text} old`)
    hooks.addFilter('greeting', (text) => `${text} neighbor`)
    const next = hooks.forOwner(owner('shop'), { staged: true })
    next.addFilter('greeting', (text) => `${text} new`)
    next.addFilter('greeting', (text) => `${text} first`, 5)
    next.commit(old)
    expect(hooks.applyFilters('greeting', 'hello')).to.equal('hello first new neighbor')
  })

  it('disposes of the old view', () => {
    const hooks = createHooks()
    const old = hooks.forOwner(owner('shop'))
    old.addAction('tick', () => {})
    hooks.forOwner(owner('shop'), { staged: true }).commit(old)
    expect(hooks.hasAction('tick')).to.equal(false)
    expect(() => old.addAction('tick', () => {})).to.throw('was unloaded')
  })

  it('shows no dispatch both versions or neither, also those under way', async () => {
    const hooks = createHooks()
    let version = 0
    let running = hooks.forOwner(owner('shop'))
    const register = (view: typeof running) => {
      const mine = version++
      const slow = async (text: unknown) => {
        await turn()
        return `${text}${mine} `
      }
      for (const priority of [5, 10, 20]) view.addFilter('greeting', slow, priority)
    }
    register(running)
    const answers: Promise<unknown>[] = []
    for (let round = 0; round < 20; round++) {
      answers.push(hooks.applyFiltersAsync('greeting', ''))
      await turn()
      const next = hooks.forOwner(owner('shop'), { staged: true })
      register(next)
      next.commit(running)
      running = next
    }
    const seen = (await Promise.all(answers)).map((answer) => String(answer).trim().split(' '))
    for (const versions of seen) {
      expect(versions).to.have.lengthOf(3)
      expect(new Set(versions).size).to.equal(1)
    }
    expect(new Set(seen.flat()).size).to.equal(20)
  })

  it('leaves nothing behind after 300 reloads', () => {
    const hooks = createHooks()
    let running = hooks.forOwner(owner('shop'))
    for (let reload = 0; reload < 300; reload++) {
      const next = hooks.forOwner(owner('shop'), { staged: true })
      next.addFilter('greeting', (text) => text)
      next.addAction(`once_${reload}`, () => {})
      next.commit(running)
      running = next
      hooks.applyFilters('greeting', '')
    }
    expect(hooks.inspect().map(({ name, listeners }) => [name, listeners.length])).to.deep.equal([
      ['greeting', 1],
      ['once_299', 1],
    ])
    running[Symbol.dispose]()
    expect(hooks.inspect()).to.deep.equal([{ name: 'greeting', count: 300, listeners: [] }])
  })

  it('refuses a view of another registry', () => {
    const foreign = createHooks().forOwner(owner('shop'))
    const hooks = createHooks()
    expect(() => hooks.forOwner(owner('shop')).commit(foreign)).to.throw(TypeError)
  })
})

function owner(id: string): Owner {
  return { id, signal: new AbortController().signal, onError() {}, onUndefined() {} }
}
