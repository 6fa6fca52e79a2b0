import { expect } from 'chai'
import request from 'supertest'
import { pageLinks } from '../../cms/rest/page-links.ts'
import { paginated, paginationSchema } from '../../cms/rest/pagination.ts'
import { RestResponse } from '../../core/rest/response.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST pagination', () => {
  const numbers = Array.from({ length: 49 }, (_, index) => index + 1)
  let site: RestSite
  before(async () => {
    site = await createRestSite()
    site.rest.registerRoute('list/v1', {
      method: 'GET',
      path: '/items',
      access: 'public',
      input: paginationSchema,
      handler: ({ input }) => {
        const start = (input.page - 1) * input.perPage
        return paginated(numbers.slice(start, start + input.perPage), numbers.length, input)
      },
    })
    site.rest.registerRoute('list/v1', {
      method: 'GET',
      path: '/linked',
      access: 'public',
      input: paginationSchema,
      handler: ({ input, query }) => {
        const link = pageLinks(site.rest.url('/list/v1/linked'), query, input.page, 10)
        return new RestResponse([], { headers: link ? { Link: link } : {} })
      },
    })
  })
  after(() => site.close())

  const get = (path: string) => request(site.url).get(`/wp-json/list/v1${path}`)

  it('answers items and totals, in body and headers', async () => {
    const { body } = await get('/items?page=5&per_page=10')
      .expect(200)
      .expect('X-WP-Total', '49')
      .expect('X-WP-TotalPages', '5')
    expect(body).to.deep.equal({
      status: 'success',
      data: { items: numbers.slice(40), total: 49, pages: 5, page: 5, perPage: 10 },
    })
    expect((await get('/items')).body.data.items).to.have.length(10)
  })

  it('answers an empty page past the last', async () => {
    const { body } = await get('/items?page=99').expect(200)
    expect(body.data).to.deep.equal({ items: [], total: 49, pages: 5, page: 99, perPage: 10 })
  })

  it('refuses page 0 and more than 100 a page', async () => {
    for (const query of ['page=0', 'page=-1', 'perPage=0', 'perPage=101', 'per_page=101', 'page=x', 'page=1.5']) {
      await get(`/items?${query}`).expect(400)
    }
  })

  it('links the previous and next pages, as recorded from WordPress', async () => {
    const base = 'http://site.example/wp-json/list/v1/linked'
    const link = async (query: string) => (await get(`/linked?${query}`)).headers.link
    expect(await link('per_page=5&page=2&_fields=id,x')).to.equal(
      `<${base}?per_page=5&page=1&_fields=id%2Cx>; rel="prev", <${base}?per_page=5&page=3&_fields=id%2Cx>; rel="next"`,
    )
    expect(await link('_embed')).to.equal(`<${base}?_embed&page=2>; rel="next"`)
    expect(await link('page=10')).to.equal(`<${base}?page=9>; rel="prev"`)
    expect(await link('page=99')).to.equal(`<${base}?page=10>; rel="prev"`)
  })
})
