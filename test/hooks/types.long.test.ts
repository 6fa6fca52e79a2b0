import { expect } from 'chai'
import { collectHooks } from '../../docs/hook-reference.ts'
import { errorsIn, offeredAt, root } from '../support/compile.ts'

const DECLARATIONS = `
  import { createHooks } from '../../core/hooks/index.ts'

  declare module '../../core/hooks/names.ts' {
    interface Actions {
      shop_opened: [name: string, till: number]
      [name: \`shop_closed_\${string}\`]: [hour: number]
    }
    interface AsyncActions {
      shop_restocked: [items: string[]]
    }
    interface Filters {
      shop_price: [cents: number, currency: string]
    }
    interface AsyncFilters {
      shop_page: [html: string]
    }
  }

  const { addAction, addFilter, removeFilter, hasFilter, doAction, applyFilters, doActionAsync, applyFiltersAsync } = createHooks()
`

const errorsOf = (code: string, declarations = DECLARATIONS) => errorsIn(code, declarations)
const offered = (call: string, declarations = DECLARATIONS) => offeredAt(call, declarations)

describe('the types of hooks', () => {
  describe('compile', () => {
    it('a callback whose arguments are those declared', () => {
      expect(errorsOf("addFilter('shop_price', (cents, currency) => cents + currency.length)")).to.equal('')
      expect(errorsOf("addAction('shop_opened', (name, till) => { name.trim(); till.toFixed() })")).to.equal('')
    })

    it('a dispatch that answers the declared value', () => {
      expect(errorsOf("const cents: number = applyFilters('shop_price', 100, 'EUR')")).to.equal('')
      expect(errorsOf("const html: Promise<string> = applyFiltersAsync('shop_page', '')")).to.equal('')
    })

    it('an async callback of an async hook, and a synchronous one', () => {
      expect(errorsOf("addFilter('shop_page', async (html) => html.trim())")).to.equal('')
      expect(errorsOf("addFilter('shop_page', (html) => html.trim())")).to.equal('')
      expect(errorsOf("addAction('shop_restocked', async (items) => void items.length)")).to.equal('')
    })

    it('a callback that takes fewer arguments than there are', () => {
      expect(errorsOf("addFilter('shop_price', (cents) => cents)")).to.equal('')
      expect(errorsOf("addAction('shop_opened', () => {})")).to.equal('')
    })

    it('a family of names, by its template key', () => {
      expect(errorsOf("addAction('shop_closed_monday', (hour) => hour.toFixed())")).to.equal('')
      expect(errorsOf("doAction('shop_closed_monday', 18)")).to.equal('')
    })

    it('the hook named all, which gets the name and every argument', () => {
      expect(errorsOf("addAction('all', (name, ...args) => { name.trim(); args.length.toFixed() })")).to.equal('')
      expect(errorsOf("addAction('all', (name: string, first: unknown) => {})")).to.equal('')
      expect(errorsOf("addAction('all', (name: number) => {})")).to.match(/'string' is not assignable to type 'number'/)
    })

    it('a name that is known only at run time, typed unknown', () => {
      expect(
        errorsOf(`
          declare const name: string
          addFilter(name, (value) => value)
          const result: unknown = applyFilters(name, 1, 'anything', true)
        `),
      ).to.equal('')
    })

    it("what an extension declares by declare module 'pentad'", () => {
      expect(
        errorsOf(`
          import type {} from 'pentad'
          declare module 'pentad' {
            interface Filters {
              extension_speed: [wordsPerMinute: number]
            }
          }
          const speed: number = applyFilters('extension_speed', 200)
        `),
      ).to.equal('')
    })
  })

  it('know every hook of the reference in an extension, which imports nothing but pentad', () => {
    const hooks = collectHooks(root, ['core', 'cms']).map(({ name, kind }) => {
      const add = kind.startsWith('action') ? 'addAction' : 'addFilter'
      const one = name
        .replace(/^{…}_to_/, 'draft_to_')
        .replace('auth_{…}', 'auth_post')
        .replaceAll('{…}', 'book')
      return `${add}('${one}', null as never)`
    })
    expect(hooks.length).to.be.above(150)
    expect(
      errorsOf(hooks.join('\n'), "import type { Hooks } from 'pentad'\ndeclare const { addAction, addFilter }: Hooks"),
    ).to.equal('')
  })

  describe('refuse', () => {
    it('an undeclared name', () => {
      const unknown = `Unknown hook shop_refund. Check its spelling, or declare it with declare module 'pentad'.`
      for (const call of ["addFilter('shop_refund', () => 1)", "addAction('shop_refund', () => {})"]) {
        expect(errorsOf(call))
          .to.match(/'"shop_refund"' is not assignable/)
          .and.contain(unknown)
      }
      for (const call of [
        "applyFilters('shop_refund', 1)",
        "removeFilter('shop_refund', 'x')",
        "doActionAsync('shop_refund')",
      ]) {
        expect(errorsOf(call)).to.contain(unknown)
      }
      expect(errorsOf("doAction('shop_opend', 'x', 1)")).to.match(/'"shop_opend"' is not assignable/)
      expect(errorsOf("hasFilter('shop_prize', () => 1)")).to.match(/shop_prize|No overload/)
    })

    it('a name with a slip, and ask whether the right one was meant', () => {
      const slips = ['shop_prise', 'shop_pric', 'shop_pricee', 'shop_pirce', 'hop_price', 'shop-price', 'shopPrice']
      for (const slip of slips) {
        expect(errorsOf(`addFilter('${slip}', () => 1)`)).to.contain(
          `Unknown hook ${slip}. Did you mean shop_price? If not, declare it with declare module 'pentad'.`,
        )
      }
      const extension = "import type { Hooks } from 'pentad'\ndeclare const { addFilter }: Hooks"
      expect(errorsOf("addFilter('content', (html) => html)", extension)).to.contain('Did you mean the_content?')
      expect(errorsOf("addFilter('shop_', () => 1)")).to.contain('Check its spelling')
    })

    it('an action where a filter is wanted, and the other way round', () => {
      expect(errorsOf("addFilter('shop_opened', () => 1)"))
        .to.match(/'"shop_opened"' is not assignable/)
        .and.contain('shop_opened is an action, not a filter: use addAction, doAction, and so on.')
      expect(errorsOf("doAction('shop_price', 1, 'EUR')"))
        .to.match(/'"shop_price"' is not assignable/)
        .and.contain('shop_price is a filter, not an action: use addFilter, applyFilters, and so on.')
      expect(errorsOf("applyFilters('shop_closed_monday', 1)")).to.contain('is an action, not a filter')
    })

    it('an argument of the wrong type, or too many, or too few', () => {
      expect(errorsOf("doAction('shop_opened', 'x', 'two')")).to.match(
        /'string' is not assignable to parameter of type 'number'/,
      )
      expect(errorsOf("doAction('shop_opened', 'x')")).to.match(/Expected 3 arguments/)
      expect(errorsOf("doAction('shop_opened', 'x', 1, 2)")).to.match(/Expected 3 arguments/)
      expect(errorsOf("applyFilters('shop_price', '100', 'EUR')")).to.match(/'string' is not assignable/)
      expect(errorsOf("doAction('shop_closed_monday', 'late')")).to.match(/'string' is not assignable/)
    })

    it('a callback that wants other arguments', () => {
      expect(errorsOf("addAction('shop_opened', (name: number) => {})")).to.match(
        /'string' is not assignable to type 'number'/,
      )
    })

    it('a filter callback that returns another type, or nothing', () => {
      expect(errorsOf("addFilter('shop_price', (cents) => String(cents))")).to.match(
        /'string' is not assignable to type 'number'/,
      )
      expect(errorsOf("addFilter('shop_price', (cents) => { cents.toFixed() })")).to.match(/'void' is not assignable/)
      expect(errorsOf("addFilter('shop_page', async (html) => { html.trim() })")).to.match(/void/)
    })

    it('an async callback on a synchronous filter', () => {
      expect(errorsOf("addFilter('shop_price', async (cents) => cents)")).to.match(
        /'Promise<number>' is not assignable to type 'number'/,
      )
    })

    it('an async hook dispatched synchronously', () => {
      expect(errorsOf("applyFilters('shop_page', '')"))
        .to.match(/'"shop_page"' is not assignable/)
        .and.contain('shop_page is asynchronous: await applyFiltersAsync.')
      expect(errorsOf("doAction('shop_restocked', [])"))
        .to.match(/'"shop_restocked"' is not assignable/)
        .and.contain('shop_restocked is asynchronous: await doActionAsync.')
    })

    it('the blank of a family that an editor offered', () => {
      expect(errorsOf("addAction('shop_closed_…', () => {})")).to.contain(
        'Write a name in place of … in shop_closed_….',
      )
    })
  })

  describe('offer an editor', () => {
    it('every declared name and every family, of the kind that is wanted, and no error', () => {
      expect(offered("addAction('')")).to.include.members(['all', 'shop_opened', 'shop_closed_…', 'shop_restocked'])
      expect(offered("addAction('')")).to.not.include.members(['shop_price'])
      expect(offered("addFilter('')")).to.include.members(['shop_price', 'shop_page'])
      expect(offered("removeFilter('')")).to.include.members(['shop_price', 'shop_page'])
      expect(offered("applyFilters('shop_')")).to.include('shop_price').and.not.include('shop_page')
      expect(offered("doAction('shop_')")).to.include('shop_opened').and.not.include('shop_restocked')
      expect(
        [...offered("addAction('')"), ...offered("addFilter('x')")].filter((name) => / /.test(name)),
      ).to.deep.equal([])
    })

    it('what core declares, in an extension', () => {
      const extension = "import type { Hooks } from 'pentad'\ndeclare const { addAction, addFilter }: Hooks"
      expect(offered("addFilter('')", extension)).to.include.members(['the_content', 'the_title', 'rest_prepare_…'])
      expect(offered("addAction('')", extension)).to.include.members([
        'init',
        'publish_post',
        'save_post_…',
        'publish_to_…',
      ])
    })
  })
})
