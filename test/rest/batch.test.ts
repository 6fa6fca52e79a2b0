import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { RestResponse } from '../../core/rest/response.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('POST /batch/v1', () => {
  let site: RestSite
  const ran: string[] = []
  before(async () => {
    site = await createRestSite()
    const input = z.object({ name: z.string() })
    site.rest.registerRoute('b/v1', {
      method: ['POST', 'PUT'],
      path: '/tags',
      access: 'manage_options',
      input,
      handler({ input }) {
        ran.push(input.name)
        return new RestResponse({ name: input.name }, { status: 201, headers: { Location: '/x' } })
      },
    })
    site.rest.registerRoute('b/v1', {
      method: 'POST',
      path: '/alone',
      access: 'public',
      batch: false,
      handler: () => ran.push('alone'),
    })
    site.rest.registerRoute('b/v1', {
      method: 'POST',
      path: '/open/{id:\\d+}',
      access: 'public',
      handler: ({ params, headers, query }) => ({ ...params, lang: headers['accept-language'], q: query.get('q') }),
    })
  })
  beforeEach(() => ran.splice(0))
  after(() => site.close())

  const batch = (body: object) => request(site.url).post('/wp-json/batch/v1').send(body)
  const asAdmin = (body: object) => batch(body).set('Authorization', site.admin)
  const tag = (name?: unknown) => ({ method: 'POST', path: '/b/v1/tags', body: { name } })

  it('responds to each request in order, as recorded from WordPress', async () => {
    const { body } = await asAdmin({ requests: [tag('one'), tag()] })
      .expect(207)
      .expect('Allow', 'POST')
    expect(body).to.deep.equal({
      responses: [
        { body: { name: 'one' }, status: 201, headers: { Location: '/x', Allow: 'POST, PUT' } },
        {
          body: {
            code: 'rest_missing_callback_param',
            message: 'Missing parameter(s): name',
            data: { status: 400, params: ['name'] },
          },
          status: 400,
          headers: { Allow: 'POST, PUT' },
        },
      ],
    })
  })

  it('gives each its path, query and headers; POST is the default', async () => {
    const { body } = await batch({
      requests: [{ path: '/b/v1/open/5?q=x&_fields=id,lang,q', headers: { 'Accept-Language': 'ka' } }],
    }).expect(207)
    expect(body.responses[0].body).to.deep.equal({ id: '5', lang: 'ka', q: 'x' })
  })

  it('asks each for its own permission', async () => {
    const { body } = await batch({ requests: [tag('one'), { path: '/b/v1/open/5' }] }).expect(207)
    expect(body.responses.map((response: { status: number }) => response.status)).to.deep.equal([401, 200])
    expect(ran).to.deep.equal([])
  })

  it('runs nothing with require-all-validate unless all are valid', async () => {
    const validation = 'require-all-validate'
    const { body } = await asAdmin({ validation, requests: [tag('one'), tag(5)] }).expect(207)
    expect(body.failed).to.equal('validation')
    expect(body.responses[0]).to.equal(null)
    expect(body.responses[1].body.code).to.equal('rest_invalid_param')
    expect(ran).to.deep.equal([])
    await asAdmin({ validation, requests: [tag('one'), tag('two')] }).expect(207)
    expect(ran).to.deep.equal(['one', 'two'])
  })

  it('refuses one by one what does not exist, does not allow it, or is a batch itself', async () => {
    const { body } = await asAdmin({
      requests: [
        { path: '/nope' },
        { path: '/b/v1/alone' },
        { path: '/batch/v1', body: { requests: [] } },
        { path: 'http://[' },
        { path: '/b/v1/%ff' },
      ],
    }).expect(207)
    expect(body.responses.map((response: { body: { code: string } }) => response.body.code)).to.deep.equal([
      'rest_no_route',
      'rest_batch_not_allowed',
      'rest_batch_not_allowed',
      'parse_path_failed',
      'parse_path_failed',
    ])
    expect(ran).to.deep.equal([])
  })

  it('rejects an invalid batch with 400', async () => {
    const malformed: object[] = [
      {},
      { requests: 'x' },
      { requests: [5] },
      { requests: [{}] },
      { requests: [{ path: 5 }] },
      { requests: [{ path: '/b/v1/tags', method: 'GET' }] },
      { requests: [{ path: '/b/v1/tags', body: 'x' }] },
      { requests: [{ path: '/b/v1/tags', headers: [['a']] }] },
      { requests: [], validation: 'sometimes' },
      { requests: Array.from({ length: 26 }, () => tag('x')) },
    ]
    for (const body of malformed) await asAdmin(body).expect(400, /rest_(invalid|missing_callback)_param/)
    await asAdmin({ requests: [] }).expect(207, { responses: [] })
    expect(ran).to.deep.equal([])
  })

  it('takes 1 MiB from users and 64 KiB from visitors', async () => {
    const requests = [tag('x'.repeat(100_000))]
    await asAdmin({ requests }).expect(207)
    await batch({ requests }).expect(413)
  })
})
