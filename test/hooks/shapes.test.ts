import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { createTestHost } from '../../app/testing/index.ts'
import { ContentClosed } from '../../core/hooks/errors.ts'
import { createHooks, type OwnedHooks } from '../../core/hooks/index.ts'
import type { Owner } from '../../core/owner.ts'
import { collectHooks } from '../../docs/hook-reference.ts'

declare module '../../core/hooks/names.ts' {
  interface Filters {
    shaped_text: [text: string]
    shaped_link: [url: string | null]
    shaped_list: [items: readonly string[]]
    [name: `shaped_${string}_count`]: [count: number]
    [name: `counted_${string}/${string}`]: [count: number]
    unshaped: [value: unknown, first?: number, second?: number]
  }
  interface AsyncFilters {
    shaped_page: [html: string]
    unshaped_page: [value: unknown]
  }
}

describe('the shape of a filter', () => {
  let told: { id: string; hook: string; message: string }[]
  let hooks: ReturnType<typeof createHooks>
  const ownerOf = (id: string): Owner => ({
    id,
    signal: new AbortController().signal,
    onError: (error, hook) => told.push({ id, hook, message: error instanceof Error ? error.message : String(error) }),
    onUndefined: (hook) => told.push({ id, hook, message: 'undefined' }),
  })
  let good: OwnedHooks
  let bad: OwnedHooks
  /** An author in plain JavaScript may return anything. */
  const wrong = (value: unknown): never => value as never

  beforeEach(() => {
    told = []
    hooks = createHooks()
    hooks.declareFilters({
      ...{ shaped_text: 'string', shaped_link: ['string', 'null'], shaped_list: z.array(z.string()) },
      ...{ shaped_page: 'string', 'shaped_*_count': 'number', 'counted_*/*': 'number' },
    })
    bad = hooks.forOwner(ownerOf('bad'))
    good = hooks.forOwner(ownerOf('good'))
  })

  for (const [title, value, fault] of [
    ['a number', 5, 'a number instead of string'],
    ['null', null, 'null instead of string'],
    ['an object', {}, 'an object instead of string'],
    ['an array', [], 'an array instead of string'],
    ['a function', () => '', 'a function instead of string'],
  ] as const) {
    it(`keeps the value before where a callback returns ${title}, and names the callback`, () => {
      bad.addFilter('shaped_text', function spoil() {
        return wrong(value)
      })
      good.addFilter('shaped_text', (text) => `${text.trim()}!`)
      expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('hello!')
      expect(told).to.deep.equal([
        { id: 'bad', hook: 'shaped_text', message: `The callback spoil of shaped_text returned ${fault}.` },
      ])
    })

    it(`does so in an async dispatch for ${title}, returned or promised`, async () => {
      bad.addFilter('shaped_page', () => wrong(value))
      bad.addFilter('shaped_page', async () => wrong(value))
      good.addFilter('shaped_page', async (text) => `${text.trim()}!`)
      expect(await hooks.applyFiltersAsync('shaped_page', 'hello')).to.equal('hello!')
      expect(told.map(({ id, hook }) => `${id} ${hook}`)).to.deep.equal(['bad shaped_page', 'bad shaped_page'])
    })
  }

  for (const [title, value] of [
    ['a list', ['a']],
    ['a record', { 0: 'a' }],
  ] as const) {
    it(`keeps ${title} as it was before a callback that changes it in place and then throws or returns nothing`, async () => {
      function spoil(items: unknown): never {
        Reflect.set(Object(items), '0', Symbol('wrong'))
        throw new Error('after the change')
      }
      const forget = (items: unknown): never => wrong(void Reflect.set(Object(items), '0', Symbol('wrong')))
      for (const callback of [spoil, forget]) {
        bad.addFilter('unshaped', callback)
        bad.addFilter('unshaped_page', callback)
      }
      good.addFilter('unshaped', (items) => items)
      good.addFilter('unshaped_page', (items) => items)
      const before = structuredClone(value)
      for (let run = 0; run < 3; run++) {
        expect(hooks.applyFilters('unshaped', value)).to.deep.equal(before)
        expect(hooks.applyFilters('unshaped', value, 1, 2)).to.deep.equal(before)
        expect(await hooks.applyFiltersAsync('unshaped_page', value)).to.deep.equal(before)
      }
      expect(new Set(told.map(({ id }) => id))).to.deep.equal(new Set(['bad']))
    })
  }

  it('lets a callback change a list in place and return it', () => {
    const given = ['a']
    good.addFilter('unshaped', (items) => {
      if (Array.isArray(items)) items.push('b')
      return items
    })
    expect(hooks.applyFilters('unshaped', given)).to.deep.equal(['a', 'b'])
    expect(given).to.deep.equal(['a'])
  })

  it('passes on the items of an array, but neither its class nor its own members', async () => {
    class Other extends Array<string> {}
    const broken = () => {
      throw new Error('not called')
    }
    for (const made of [Other.of('a', 'b'), Object.assign(['a', 'b'], { map: broken, [Symbol.iterator]: broken })]) {
      const hooksOfMade = createHooks()
      const view = hooksOfMade.forOwner({ id: 'bad', signal: new AbortController().signal, onError: broken })
      for (const name of ['unshaped', 'unshaped_page'] as const) view.addFilter(name, () => made)
      for (const value of [
        hooksOfMade.applyFilters('unshaped', []),
        await hooksOfMade.applyFiltersAsync('unshaped_page', []),
      ]) {
        expect(Object.getPrototypeOf(value)).to.equal(Array.prototype)
        expect(Reflect.ownKeys(Object(value))).to.deep.equal(['0', '1', 'length'])
      }
    }
  })

  it('limits the length of a text in synchronous dispatches too', () => {
    bad.addFilter('shaped_text', () => 'x'.repeat(16_777_217))
    for (let time = 0; time < 300; time++) expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('hello')
    expect(told.at(-1)?.message).to.contain('returned a string of 16777217 characters; the maximum is 16777216')
  })

  it('rejects a promise from a synchronous filter and handles its rejection', async () => {
    const strays: unknown[] = []
    const note = (error: unknown) => strays.push(error)
    process.on('unhandledRejection', note)
    bad.addFilter('shaped_text', () => wrong(Promise.reject(new Error('no luck'))))
    bad.addFilter('unshaped', () => Promise.reject(new Error('no luck')))
    expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('hello')
    expect(hooks.applyFilters('unshaped', 'hello')).to.equal('hello')
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', note)
    expect(strays).to.deep.equal([])
    expect(told.map(({ message }) => message)).to.deep.equal([
      'The callback (anonymous) of shaped_text returned a promise, but the filter is synchronous.',
      'The callback (anonymous) of unshaped returned a promise, but the filter is synchronous.',
    ])
  })

  it('allows each kind of a union, and null only where it is one', () => {
    bad.addFilter('shaped_link', () => null)
    expect(hooks.applyFilters('shaped_link', 'https://example.org')).to.equal(null)
    expect(told).to.deep.equal([])
  })

  it('leaves the value where undefined is returned, with a warning of its own', () => {
    bad.addFilter('shaped_text', () => wrong(undefined))
    expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('hello')
    expect(told).to.deep.equal([{ id: 'bad', hook: 'shaped_text', message: 'undefined' }])
  })

  it('may be a schema', () => {
    bad.addFilter('shaped_list', () => wrong([1]))
    good.addFilter('shaped_list', (items) => [...items, 'b'])
    expect(hooks.applyFilters('shaped_list', ['a'])).to.deep.equal(['a', 'b'])
    expect(told[0]?.message).to.match(
      /^The callback \(anonymous\) of shaped_list returned a value that its schema rejects/,
    )
  })

  it('may be that of a family whose names have two open parts', () => {
    for (const name of ['counted_a/b', 'counted_/'] as const) {
      bad.addFilter(name, () => wrong('many'))
      expect(hooks.applyFilters(name, 3)).to.equal(3)
    }
    expect(told.map(({ hook }) => hook)).to.deep.equal(['counted_a/b', 'counted_/'])
  })

  it('may be that of a family of names', () => {
    bad.addFilter('shaped_page_count', () => wrong('many'))
    expect(hooks.applyFilters('shaped_page_count', 3)).to.equal(3)
    expect(told).to.have.length(1)
  })

  it('goes with the view that declared it', () => {
    bad.declareFilters({ unshaped: 'any', shaped_text: wrong('number') })
    good.addFilter('shaped_text', () => 'text')
    expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('hello')
    bad[Symbol.dispose]()
    expect(hooks.applyFilters('shaped_text', 'hello')).to.equal('text')
  })

  it('is refused where it is none', () => {
    expect(() => hooks.declareFilters({ shaped_text: wrong('text') })).to.throw(TypeError, 'The shape of shaped_text')
  })

  it('is not asked of callbacks without an owner: there what happens is the dispatcher’s own doing', () => {
    hooks.addFilter('shaped_text', () => wrong(5))
    expect(hooks.applyFilters('shaped_text', 'hello')).to.equal(5)
  })

  describe('that is undeclared', () => {
    const rename = (value: unknown) => (value as string).replace('h', 'H')

    it('accepts any value, and attributes a later error to the callback that changed its type', async () => {
      bad.addFilter('unshaped', function spoil() {
        return {}
      })
      good.addFilter('unshaped', rename)
      expect(hooks.applyFilters('unshaped', 'hello')).to.deep.equal({})
      bad.addFilter('unshaped_page', async function spoil() {
        return {}
      })
      good.addFilter('unshaped_page', rename)
      expect(await hooks.applyFiltersAsync('unshaped_page', 'hello')).to.deep.equal({})
      const fault = 'returned an object instead of a string, and a later callback of good failed: '
      expect(
        told.map(({ id, message }) => `${id}: ${message.split('value.replace')[0]?.split('value')[0]}`),
      ).to.deep.equal([
        `bad: The callback spoil of unshaped ${fault}`,
        `bad: The callback spoil of unshaped_page ${fault}`,
      ])
    })

    for (const more of [[], [1], [1, 2]] as const) {
      it(`takes values of every kind in turn, with ${more.length} more arguments, and copies lists each time`, () => {
        good.addFilter('unshaped', (value) => (value === 'list' ? ['from good'] : value))
        bad.addFilter('unshaped', (value) => {
          if (Array.isArray(value)) value.push('from bad')
          throw new Error('broken')
        })
        for (let time = 0; time < 3; time++) {
          for (const value of ['text', 5, true, null]) {
            expect(hooks.applyFilters('unshaped', value, ...more)).to.equal(value)
          }
          expect(hooks.applyFilters('unshaped', ['as it was'], ...more)).to.deep.equal(['as it was'])
          expect(hooks.applyFilters('unshaped', 'list', ...more)).to.deep.equal(['from good'])
        }
      })
    }

    it('blames the one that throws if the kind was as the dispatch began, also after another dispatch', () => {
      bad.addFilter('unshaped', (value) => (value === 'spoil' ? 5 : value))
      good.addFilter('unshaped', rename)
      hooks.applyFilters('unshaped', 'spoil')
      hooks.applyFilters('unshaped', 5)
      expect(told.map(({ id }) => id)).to.deep.equal(['bad', 'good'])
    })
  })

  it('is declared for every filter of the product, where the product runs', async () => {
    const site = await createTestHost({ extensions: [join(root, 'extensions/store')], services: true })
    const { hooks } = site.host
    const filters = collectHooks(root).filter(({ kind }) => kind.startsWith('filter'))
    expect(filters.length).to.be.above(100)
    const unshaped: string[] = []
    for (const { name } of filters) {
      if (ANY.includes(name)) continue
      const one: string = name.replace('auth_{…}', 'auth_post').replaceAll('{…}', 'book')
      const view = hooks.forOwner(ownerOf('bad'))
      view.addFilter(one, () => Symbol('no filter returns that'), Number.NEGATIVE_INFINITY)
      try {
        hooks.applyFilters(one, 'before')
      } catch (error) {
        // A filter that protects refuses.
        if (!(error instanceof ContentClosed)) throw error
      }
      view[Symbol.dispose]()
      if (!told.some(({ hook, message }) => hook === one && /\bsymbol\b/.test(message))) unshaped.push(name)
    }
    await site.close()
    expect(unshaped).to.deep.equal([])
  })
})

const root = join(import.meta.dirname, '../..')
/** Filters whose values may be anything: JSON of whatever option, the answer of whatever route. */
const ANY = ['pre_update_option', 'rest_pre_dispatch', 'rest_pre_get_setting']
