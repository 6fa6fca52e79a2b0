import { expect } from 'chai'
import { createHooks } from '../../core/hooks/index.ts'
import type { Owner } from '../../core/owner.ts'
import './declarations.ts'

const owner: Owner = { id: 'late', signal: new AbortController().signal, onError: () => {}, onUndefined: () => {} }

describe('replay of a view that came after an action', () => {
  it('calls its own callbacks alone, staged or not, in order, each awaited', async () => {
    const hooks = createHooks()
    const calls: unknown[] = []
    hooks.addAction('tick', () => calls.push('somebody else'))
    await hooks.doActionAsync('tick')
    calls.length = 0
    const view = hooks.forOwner(owner, { staged: true })
    view.addAction('tick', (...args) => calls.push(args), 20, 1)
    view.addAction('tick', async () => {
      await null
      calls.push([hooks.currentAction(), hooks.doingAction('tick')])
    })
    await view.replay('tick', 'one', 'two')
    expect(calls).to.deep.equal([['tick', true], ['one']])
    view.commit()
    calls.length = 0
    await view.replay('tick', 'again')
    expect(calls).to.deep.equal([['tick', true], ['again']])
    expect(hooks.didAction('tick')).to.equal(1)
    expect(hooks.doingAction()).to.equal(false)
  })

  it('does nothing if the action has not fired', async () => {
    const hooks = createHooks()
    const view = hooks.forOwner(owner)
    let calls = 0
    view.addAction('tick', () => void calls++)
    await view.replay('tick')
    expect(calls).to.equal(0)
    expect(hooks.didAction('tick')).to.equal(0)
  })

  it('rejects with what a callback throws, and calls no more', async () => {
    const hooks = createHooks()
    hooks.doAction('tick')
    const view = hooks.forOwner(owner, { staged: true })
    let calls = 0
    view.addAction('tick', async () => {
      throw new Error('no luck')
    })
    view.addAction('tick', () => void calls++, 11)
    const error = await view.replay('tick').catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message', 'no luck')
    expect(calls).to.equal(0)
    expect(hooks.doingAction()).to.equal(false)
  })
})
