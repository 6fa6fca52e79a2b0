import { expect } from 'chai'
import { createHooks, type HookRegistry, type OwnedHooks } from '../../core/hooks/index.ts'
import type { Owner } from '../../core/owner.ts'
import './declarations.ts'

describe('what one owner removes of others', () => {
  let hooks: HookRegistry

  beforeEach(() => {
    hooks = createHooks()
  })

  const view = (id: string, options?: { staged: boolean }) => hooks.forOwner(owner(id), options)
  const text = () => hooks.applyFilters('greeting', '')

  /** Appends the words in order, each by a callback that is called as the word. */
  function speak(by: Pick<OwnedHooks, 'addFilter'>, words: string, priority = 10): void {
    for (const word of words.split(' ')) by.addFilter('greeting', named(word), priority)
  }

  it('is restored at its former position when the remover is unloaded', () => {
    const core = view('core')
    const guest = view('guest')
    speak(core, 'one two three')
    speak(core, 'first', 5)
    expect(guest.removeFilter('greeting', 'two')).to.equal(true)
    expect(guest.removeFilter('greeting', 'first')).to.equal(true)
    speak(core, 'four')
    expect(text()).to.equal(' one three four')
    guest[Symbol.dispose]()
    expect(text()).to.equal(' first one two three four')
  })

  it('is restored after removeAllFilters too, of one priority and of all', () => {
    speak(view('core'), 'one two')
    speak(hooks, 'bare', 20)
    const [some, all] = [view('some'), view('all')]
    some.removeAllFilters('greeting', 20)
    expect(text()).to.equal(' one two')
    all.removeAllFilters('greeting')
    expect(text()).to.equal('')
    expect(hooks.hasFilter('greeting')).to.equal(false)
    all[Symbol.dispose]()
    expect(text()).to.equal(' one two')
    some[Symbol.dispose]()
    expect(text()).to.equal(' one two bare')
  })

  it('is not what protects content, unless it is named', () => {
    const members = view('members')
    speak(members, 'open')
    members.addFilter('greeting', named('closed'), { onError: 'closed' })
    const guest = view('guest')
    guest.removeAllFilters('greeting')
    expect(text()).to.equal(' closed')
    expect(guest.removeFilter('greeting', 'closed')).to.equal(true)
    expect(text()).to.equal('')
    guest[Symbol.dispose]()
    members.removeAllFilters('greeting')
    expect(text()).to.equal('')
  })

  it('is restored when a staged remover is disposed, and stays active for others meanwhile', () => {
    speak(view('core'), 'one two')
    const staged = view('guest', { staged: true })
    expect(staged.removeFilter('greeting', 'one')).to.equal(true)
    expect(staged.hasFilter('greeting', 'one')).to.equal(false)
    expect(text()).to.equal(' one two')
    staged[Symbol.dispose]()
    expect(text()).to.equal(' one two')
  })

  it('stays removed while another one that removed it lives', () => {
    speak(view('core'), 'one two')
    const [early, late] = [view('early'), view('late')]
    early.removeFilter('greeting', 'one')
    expect(late.removeFilter('greeting', 'one')).to.equal(false)
    early[Symbol.dispose]()
    expect(text()).to.equal(' two')
    late[Symbol.dispose]()
    expect(text()).to.equal(' one two')
  })

  it('is not restored if its owner is unloaded or removed it itself', () => {
    const [shop, till, guest] = [view('shop'), view('till'), view('guest')]
    const own = named('own')
    till.addFilter('greeting', own)
    speak(shop, 'one')
    guest.removeAllFilters('greeting')
    till.removeFilter('greeting', own)
    shop[Symbol.dispose]()
    guest[Symbol.dispose]()
    expect(text()).to.equal('')
    expect(hooks.inspect()).to.deep.include({ name: 'greeting', count: 1, listeners: [] })
  })

  it('runs again if its owner adds it again, as in WordPress', () => {
    const [shop, guest] = [view('shop'), view('guest')]
    const again = named('again')
    shop.addFilter('greeting', again)
    speak(shop, 'one')
    guest.removeFilter('greeting', 'again')
    shop.addFilter('greeting', again)
    expect(text()).to.equal(' one again')
    guest[Symbol.dispose]()
    expect(text()).to.equal(' one again')
  })

  describe('over reloads', () => {
    it('is not restored by a new version of its owner', () => {
      const [shop, guest] = [view('shop'), view('guest')]
      speak(shop, 'one two')
      guest.removeFilter('greeting', 'one')
      const next = view('shop', { staged: true })
      speak(next, 'zero one two')
      next.commit(shop)
      expect(text()).to.equal(' zero two')
      guest[Symbol.dispose]()
      expect(text()).to.equal(' zero one two')
    })

    it('is not restored when its owner is deactivated and activated', () => {
      const [shop, guest] = [view('shop'), view('guest')]
      speak(shop, 'one two')
      guest.removeAllFilters('greeting')
      shop[Symbol.dispose]()
      const next = view('shop', { staged: true })
      speak(next, 'one')
      next.commit()
      expect(text()).to.equal('')
    })

    it('does not affect callbacks that are added after the removal', () => {
      const guest = view('guest')
      expect(guest.removeFilter('greeting', 'one')).to.equal(false)
      guest.removeAllFilters('greeting')
      const shop = view('shop', { staged: true })
      speak(shop, 'one')
      shop.commit()
      expect(text()).to.equal(' one')
    })

    it('stays removed if the new version of the remover removes it too, otherwise is restored', () => {
      speak(view('core'), 'one two')
      const first = view('guest')
      first.removeFilter('greeting', 'one')
      const second = view('guest', { staged: true })
      expect(second.removeFilter('greeting', 'one')).to.equal(true)
      second.commit(first)
      expect(text()).to.equal(' two')
      const third = view('guest', { staged: true })
      third.commit(second)
      expect(text()).to.equal(' one two')
    })
  })

  describe('by name', () => {
    it('is found at any priority, or at the one that is named', () => {
      const guest = view('guest')
      speak(view('core'), 'one', 7)
      speak(view('core'), 'two', 20)
      expect(guest.hasFilter('greeting', 'one')).to.equal(7)
      expect(guest.removeFilter('greeting', 'one', 10)).to.equal(false)
      expect(guest.removeFilter('greeting', 'one', 7)).to.equal(true)
      expect(guest.removeFilter('greeting', 'two')).to.equal(true)
      expect(guest.removeFilter('greeting', 'three')).to.equal(false)
      expect(text()).to.equal('')
    })

    it('needs the owner where several have one of that name', () => {
      speak(view('shop'), 'price')
      speak(view('till'), 'price total')
      const guest = view('guest')
      expect(() => guest.removeFilter('greeting', 'price')).to.throw(
        "shop and till each have a callback of greeting named price. Specify the owner: { owner: 'shop', name: 'price' }",
      )
      expect(guest.hasFilter('greeting', { owner: 'core', name: 'price' })).to.equal(false)
      expect(guest.removeFilter('greeting', { owner: 'shop', name: 'price' })).to.equal(true)
      expect(text()).to.equal(' price total')
      speak(guest, 'price')
      expect(guest.removeFilter('greeting', 'price')).to.equal(true)
      expect(text()).to.equal(' price total')
    })
  })

  it('is forgotten with its remover: 300 removers leave nothing behind', () => {
    speak(view('core'), 'one two')
    for (let round = 0; round < 300; round++) {
      const guest = view('guest')
      for (let time = 0; time < 3; time++) guest.removeFilter('greeting', 'one')
      expect(text()).to.equal(' two')
      guest[Symbol.dispose]()
    }
    expect(text()).to.equal(' one two')
    expect(hooks.inspect()[0]?.listeners).to.have.lengthOf(2)
  })
})

function named(word: string): (text: unknown) => string {
  const callback = (text: unknown) => `${text} ${word}`
  return Object.defineProperty(callback, 'name', { value: word })
}

function owner(id: string): Owner {
  return { id, signal: new AbortController().signal, onError: () => {}, onUndefined: () => {} }
}
