import { expect } from 'chai'
import { errorsIn } from '../support/compile.ts'

const DECLARATIONS = `
  import { type ExtensionHost, pageAnswer, paginated, RestResponse, success, successAnswer } from 'pentad'
  import { z } from 'zod'

  interface Tent { readonly id: number; readonly tags: readonly string[]; readonly pitched: boolean }

  declare const { rest }: ExtensionHost
  declare const tent: Tent
  const tentShape = z.object({ id: z.int(), tags: z.array(z.string()), pitched: z.literal(true) })
  const paging = { page: 1, perPage: 10 }
`
const route = (answer: string, returned: string) =>
  `rest.registerRoute('camp/v1', { method: 'GET', path: '/tents', access: 'public', ${answer}, handler: async () => ${returned} })`
const errorsOf = (...routes: string[]) => errorsIn(routes.join('\n'), DECLARATIONS)

describe('the type of a declared answer', () => {
  it('takes what fits, also what is read-only, whatever boolean, and an interface for a loose object', () => {
    expect(
      errorsOf(
        route('answer: tentShape', 'tent'),
        route('answer: tentShape', "({ id: 1, tags: ['a'], pitched: true })"),
        route('answer: z.looseObject({ id: z.int() })', 'tent'),
        route('answer: z.record(z.string(), z.unknown())', 'tent'),
        route('answer: successAnswer(tentShape)', 'success(tent)'),
        route('answer: successAnswer(tentShape)', 'new RestResponse(success(tent), { status: 201 })'),
        route('answer: pageAnswer(tentShape)', 'paginated([tent], 1, paging)'),
        route('answer: pageAnswer(tentShape, { full: z.boolean() })', 'paginated([tent], 1, paging, { full: true })'),
        route('answer: z.json()', "({ a: [1, null, 'x'] })"),
      ),
    ).to.equal('')
  })

  it('takes anything where nothing is declared, and for a schema of unknown type', () => {
    expect(errorsOf(route("summary: ''", 'tent'), route('answer: tentShape as z.ZodType', "'x'"))).to.equal('')
  })

  it('refuses a missing property and one of another type', () => {
    expect(errorsOf(route('answer: tentShape', '({ id: 1 })'))).to.match(/missing the following properties/)
    expect(errorsOf(route('answer: tentShape', "({ ...tent, id: '1' })"))).to.match(/'string' is not assignable/)
  })

  it('refuses another item of a page, and a page without what stands beside its items', () => {
    expect(errorsOf(route('answer: pageAnswer(tentShape)', 'paginated([{ id: 1 }], 1, paging)'))).to.match(
      /'tags'|tags,/,
    )
    const beside = route('answer: pageAnswer(tentShape, { full: z.boolean() })', 'paginated([tent], 1, paging)')
    expect(errorsOf(beside)).to.match(/'full'/)
  })

  it('refuses another body of a response', () => {
    expect(errorsOf(route('answer: successAnswer(tentShape)', 'new RestResponse(tent)'))).to.match(/'Tent' is/)
  })
})
