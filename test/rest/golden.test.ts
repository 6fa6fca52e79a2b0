import { expect } from 'chai'
import request from 'supertest'
import { registerDemoRoutes } from './demo-routes.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

/** What WordPress 6.1 was recorded to answer to the same routes, except where contract 1 decides otherwise. */
describe('REST, as recorded from WordPress', () => {
  let site: RestSite
  before(async () => {
    site = await createRestSite()
    registerDemoRoutes(site.rest)
  })
  after(() => site.close())

  const put = (authorization = site.admin) =>
    request(site.url).put('/wp-json/demo/v1/settings').set('Authorization', authorization)

  it('sends the headers of every answer', async () => {
    const { headers } = await request(site.url).get('/wp-json/nope/v1/x').expect(404)
    expect(headers).to.include({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      link: '<http://site.example/wp-json/>; rel="https://api.w.org/"',
      'x-content-type-options': 'nosniff',
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
      'cache-control': 'no-store',
      vary: 'Origin',
    })
    expect(headers).not.to.have.property('allow')
  })

  it('responds identically to an unknown route and a wrong method', async () => {
    const noRoute = {
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
      data: { status: 404 },
    }
    await request(site.url).get('/wp-json/nope/v1/x').expect(404, noRoute)
    await request(site.url).delete('/wp-json/demo/v1/settings').expect(404, noRoute)
    await request(site.url).trace('/wp-json/demo/v1/settings').expect(404, noRoute)
  })

  it('refuses broken JSON', async () => {
    await put()
      .set('Content-Type', 'application/json')
      .send('{bad')
      .expect('Allow', 'PUT')
      .expect(400, {
        code: 'rest_invalid_json',
        message: 'Invalid JSON body passed.',
        data: { status: 400, json_error_code: 4, json_error_message: 'Syntax error' },
      })
  })

  it('names missing parameters', async () => {
    await put()
      .send({})
      .expect(400, {
        code: 'rest_missing_callback_param',
        message: 'Missing parameter(s): settings',
        data: { status: 400, params: ['settings'] },
      })
  })

  it('says what is wrong with a type', async () => {
    const message = 'settings is not of type object.'
    await put()
      .send({ settings: 'x' })
      .expect(400, {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): settings',
        data: {
          status: 400,
          params: { settings: message },
          details: { settings: { code: 'rest_invalid_type', message, data: { param: 'settings' } } },
        },
      })
  })

  it('says what is wrong with each of several parameters', async () => {
    const count = 'count must be between 1 (inclusive) and 10 (inclusive)'
    const mode = 'mode is not one of a and b.'
    await put()
      .send({ settings: {}, count: 99, mode: 'z' })
      .expect(400, {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): count, mode',
        data: {
          status: 400,
          params: { count, mode },
          details: {
            count: { code: 'rest_out_of_bounds', message: count, data: null },
            mode: { code: 'rest_not_in_enum', message: mode, data: null },
          },
        },
      })
  })

  it('answers a valid request with the methods that the caller may use', async () => {
    await put().send({ settings: {} }).expect('Allow', 'PUT').expect(200, { ok: true })
  })

  it('refuses visitors with 401 and users with 403, without a word on parameters', async () => {
    const forbidden = (status: number) => ({
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status },
    })
    const visitor = await request(site.url).put('/wp-json/demo/v1/settings').send({}).expect(401, forbidden(401))
    expect(visitor.headers).not.to.have.property('allow')
    await put(site.subscriber).send({}).expect(403, forbidden(403))
    await request(site.url).get('/wp-json/demo/v1/post/1').expect(401, forbidden(401))
  })

  it('rejects wrong credentials on every route, and an unknown user in the same way', async () => {
    for (const login of ['admin', 'nobody']) {
      const { body } = await request(site.url).post('/wp-json/demo/v1/open').auth(login, 'wrong').expect(401)
      expect(body.code).to.equal('incorrect_password')
    }
  })

  it('looks for the route before it looks at credentials', async () => {
    const { body } = await request(site.url).get('/wp-json/nope').auth('admin', 'wrong').expect(404)
    expect(body.code).to.equal('rest_no_route')
  })

  it('believes a session with its nonce, in a header or in the query', async () => {
    const { cookie, nonce } = await site.session()
    const asked = () => request(site.url).put('/wp-json/demo/v1/settings').set('Cookie', cookie).send({ settings: {} })
    await asked().set('X-WP-Nonce', nonce).expect(200, { ok: true })
    await asked().query({ _wpnonce: nonce }).expect(200)
    await asked().expect(401)
    const wrong = await asked().set('X-WP-Nonce', '0123456789').expect(403)
    expect(wrong.body).to.deep.equal({
      code: 'rest_cookie_invalid_nonce',
      message: 'Cookie check failed',
      data: { status: 403 },
    })
    await request(site.url).post('/wp-json/demo/v1/open').set('Cookie', cookie).expect(200, { user: 0 })
  })

  it('takes the method from _method and X-HTTP-Method-Override, on POST only', async () => {
    const url = '/wp-json/demo/v1/settings'
    const post = () => request(site.url).post(url).set('Authorization', site.admin).send({ settings: {} })
    await post().query({ _method: 'PUT' }).expect(200, { ok: true })
    await post().set('X-HTTP-Method-Override', 'PUT').expect(200, { ok: true })
    await post().set('X-HTTP-Method-Override', 'nonsense').expect(404)
    await request(site.url).get(url).query({ _method: 'PUT' }).set('Authorization', site.admin).expect(404)
  })

  it('reads forms as PHP does', async () => {
    await request(site.url)
      .post('/wp-json/demo/v1/settings?_method=PUT')
      .set('Authorization', site.admin)
      .send('settings[a]=1&settings[b]=2')
      .expect(200, { ok: true })
  })

  it('describes a route to OPTIONS', async () => {
    const { body, headers } = await request(site.url).options('/wp-json/demo/v1/settings').expect(200)
    expect(body).to.deep.equal({
      namespace: 'demo/v1',
      methods: ['PUT'],
      endpoints: [
        {
          methods: ['PUT'],
          allow_batch: { v1: true },
          args: {
            settings: { type: 'object', required: true },
            count: { type: 'integer', minimum: 1, maximum: 10, required: false },
            mode: { type: 'string', enum: ['a', 'b'], required: false },
          },
        },
      ],
      _links: { self: [{ href: 'http://site.example/wp-json/demo/v1/settings' }] },
    })
    expect(headers).not.to.have.property('allow')
    await request(site.url).options('/wp-json/demo/v1/settings').set('Authorization', site.admin).expect('Allow', 'PUT')
    await request(site.url)
      .options('/wp-json/demo/v1/settings?_fields=methods')
      .expect(200, { methods: ['PUT'] })
  })

  it('answers the index', async () => {
    const { body } = await request(site.url).get('/wp-json/').expect(200).expect('Allow', 'GET')
    expect(Object.keys(body)).to.deep.equal([
      'name',
      'description',
      'url',
      'home',
      'gmt_offset',
      'timezone_string',
      'namespaces',
      'authentication',
      'routes',
      // The recording is cut before these; WordPress 5.9 and later have them.
      'site_logo',
      'site_icon',
      '_links',
    ])
    expect(body).to.include({ name: 'Gazette', url: 'http://site.example', timezone_string: 'UTC', gmt_offset: '0' })
    expect(body.namespaces).to.deep.equal(['demo/v1'])
    expect(body.routes['/']).to.deep.include({
      namespace: '',
      methods: ['GET'],
      _links: { self: [{ href: 'http://site.example/wp-json/' }] },
    })
    expect(body.routes['/'].endpoints[0].args).to.deep.equal({ context: { default: 'view', required: false } })
    expect(body.routes).to.include.keys('/batch/v1', '/demo/v1', '/demo/v1/settings', '/demo/v1/post/(?P<id>\\d+)')
    expect(body.routes['/demo/v1/post/(?P<id>\\d+)']).not.to.have.property('_links')
  })

  it('answers the index at its other addresses', async () => {
    const { body } = await request(site.url).get('/wp-json').expect(200)
    await request(site.url).get('/?rest_route=/').expect(200, body)
    await request(site.url).get('/index.php?rest_route=/demo/v1/').expect(200)
    await request(site.url).get('/wp-jsonp').expect(404).expect('Content-Type', /text/)
  })

  it('answers the index of a namespace', async () => {
    const { body } = await request(site.url).get('/wp-json/demo/v1').expect(200)
    expect(body.namespace).to.equal('demo/v1')
    expect(Object.keys(body.routes)).to.deep.equal([
      '/demo/v1',
      '/demo/v1/settings',
      '/demo/v1/post/(?P<id>\\d+)',
      '/demo/v1/open',
    ])
    expect(body.routes['/demo/v1'].endpoints[0].args).to.deep.equal({
      namespace: { default: 'demo/v1', required: false },
      context: { default: 'view', required: false },
    })
    expect(body._links).to.deep.equal({ up: [{ href: 'http://site.example/wp-json/' }] })
  })
})
