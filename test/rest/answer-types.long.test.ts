import { expect } from 'chai'
import { errorsIn } from '../support/compile.ts'

const DECLARATIONS = `
  import { type ExtensionHost, paginatedSchema, paginated, RestResponse, success, successSchema } from 'pentad'
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
        route('response: z.looseObject({ id: z.int() })', 'tent'),
        route('response: z.record(z.string(), z.unknown())', 'tent'),
        route('response: successSchema(tentShape)', 'success(tent)'),
        route('response: successSchema(tentShape)', 'new RestResponse(success(tent), { status: 201 })'),
        route('response: paginatedSchema(tentShape)', 'paginated([tent], 1, paging)'),
        route(
          'response: paginatedSchema(tentShape, { full: z.boolean() })',
          'paginated([tent], 1, paging, { full: true })',
        ),
        route('response: z.json()', "({ a: [1, null, 'x'] })"),
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

  it('rejects an invalid item of a page, and a page without its other members', () => {
    expect(errorsOf(route('response: paginatedSchema(tentShape)', 'paginated([{ id: 1 }], 1, paging)'))).to.match(
      /'tags'|tags,/,
    )
    const beside = route('response: paginatedSchema(tentShape, { full: z.boolean() })', 'paginated([tent], 1, paging)')
    expect(errorsOf(beside)).to.match(/'full'/)
  })

  it('refuses another body of a response', () => {
    expect(errorsOf(route('response: successSchema(tentShape)', 'new RestResponse(tent)'))).to.match(/'Tent' is/)
  })
})
