import { expect } from 'chai'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry, OwnedHooks } from '../../core/hooks/types.ts'
import { headers, json, listOf, recordOf } from '../../core/hooks/value-checks.ts'
import { WaitingTime } from '../../core/hooks/waiting.ts'
import type { Owner } from '../../core/owner.ts'

describe('Callbacks that throw or return what cannot be read', () => {
  let blamed: string[]
  let registry: HookRegistry
  const waiting = new WaitingTime()
  const view = (id: string): OwnedHooks => {
    const owner: Owner = {
      id,
      signal: new AbortController().signal,
      onError: (error, hook) =>
        void blamed.push(`${id} ${hook}: ${error instanceof Error ? error.message : 'no error'}`),
      onUndefined: () => {},
    }
    return registry.forOwner(owner)
  }
  beforeEach(() => {
    blamed = []
    registry = createHooks({ request: { waiting: () => waiting, limits: () => ({ callback: 50, request: 10_000 }) } })
  })

  const THROWN: Readonly<Record<string, () => unknown>> = {
    'a text': () => 'broken',
    null: () => null,
    'a proxy': () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('trap')
          },
          getPrototypeOf() {
            throw new Error('trap')
          },
        },
      ),
    'an error whose stack throws': () =>
      Object.defineProperty(new Error('x'), 'stack', {
        get() {
          throw new Error('trap')
        },
      }),
    'an error whose message throws': () =>
      Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('trap')
        },
      }),
  }
  it('are skipped and named where they return a text without measure', async () => {
    const whole = 'x'.repeat(16_777_217)
    view('bad').addFilter('later' as string, () => whole)
    expect(await registry.applyFiltersAsync('later' as string, 'before')).to.equal('before')
    expect(blamed).to.have.length(1)
    expect(blamed[0]).to.match(/^bad later: .*a string of 16777217 characters; the maximum is 16777216\.$/)
    // What was as long before is not the fault of who passes it on.
    expect(await registry.applyFiltersAsync('later' as string, whole)).to.equal(whole)
    expect(blamed).to.have.length(1)
  })

  for (const [name, thrown] of Object.entries(THROWN)) {
    it(`are skipped and named: ${name}`, async () => {
      view('bad').addFilter('value' as string, () => {
        throw thrown()
      })
      view('bad').addFilter('later' as string, async () => {
        throw thrown()
      })
      view('bad').addAction('told' as string, () => {
        throw thrown()
      })
      expect(registry.applyFilters('value' as string, 'kept')).to.equal('kept')
      expect(await registry.applyFiltersAsync('later' as string, 'kept')).to.equal('kept')
      registry.doAction('told' as string)
      expect(blamed.map((line) => line.split(':')[0])).to.deep.equal(['bad value', 'bad later', 'bad told'])
      expect(blamed.join()).not.to.contain('no error')
    })
  }

  it('names the inner one of two that are nested, where only that never ends', async () => {
    view('inner').addFilter('inside' as string, () => new Promise(() => {}))
    view('outer').addFilter(
      'outside' as string,
      async (value) => `${await registry.applyFiltersAsync('inside' as string, value)}!`,
    )
    expect(await registry.applyFiltersAsync('outside' as string, 'text')).to.equal('text!')
    expect(blamed).to.have.length(1)
    expect(blamed[0]).to.match(/^inner inside: /)
  })
})

describe('Checks of the contents of a value', () => {
  const circle: Record<string, unknown> = {}
  circle.self = [circle]
  const shared = { a: 1 }

  it('find a wrong item of a list or a record', () => {
    expect(listOf('string').contentsFault(['a', 'b'])).to.equal(undefined)
    expect(listOf('string').contentsFault(['a', Symbol('x')])).to.equal(
      'an array whose item 1 is a symbol instead of string',
    )
    expect(listOf('string').contentsFault('a')).to.contain('a string instead of array')
    expect(recordOf('string', 'boolean').contentsFault({ a: 'b', c: false })).to.equal(undefined)
    expect(recordOf('string').contentsFault({ a: 5 })).to.equal('an object whose "a" is a number instead of string')
    expect(recordOf('string').contentsFault([])).to.contain('an array instead of object')
  })

  it('find a header that cannot be sent', () => {
    expect(headers.contentsFault({ 'X-A': 'b', Link: '<é>' })).to.equal(undefined)
    for (const wrong of [{ 'X-A': 5 }, { 'X-A': 'a\r\nX-B: c' }, { 'bad name': 'x' }, { 'X-A': '日本' }, null]) {
      expect(headers.contentsFault(wrong), JSON.stringify(wrong)).to.be.a('string')
    }
  })

  it('find what JSON cannot hold, in time even where one object is in many places', () => {
    expect(json('object').contentsFault({ b: Array(1000).fill(shared) })).to.equal(undefined)
    let wide: unknown = shared
    for (let depth = 0; depth < 100; depth++) wide = { a: wide, b: wide }
    let deep: unknown = 1
    for (let depth = 0; depth < 10_000; depth++) deep = { deep }
    expect(json('object').contentsFault({ a: shared, b: shared, c: [new Date(0), null] })).to.equal(undefined)
    // Written out it would be longer than any text can be.
    expect(json('object').contentsFault(wide)).to.contain('more than 100000000 characters')
    expect(json('object').contentsFault({ holes: new Array(4e9) })).to.contain('characters')
    expect(json('object').contentsFault({ bytes: new Float64Array(1e7) })).to.contain('characters')
    expect(json('object').contentsFault(circle)).to.contain('a circular reference')
    expect(json('object').contentsFault({ deep })).to.contain('levels of nesting')
    expect(json('object').contentsFault({ big: [1n] })).to.contain('a bigint')
    expect(json('array').contentsFault({})).to.contain('instead of array')
  })
})
