import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { RestResponse } from '../../core/rest/response.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST hooks', () => {
  let site: RestSite
  let handled = 0
  beforeEach(async () => {
    handled = 0
    site = await createRestSite()
    site.rest.registerRoute('h/v1', {
      method: 'POST',
      path: '/{id:\\d+}',
      access: 'manage_options',
      input: z.object({ text: z.string() }),
      handler: () => ({ handled: ++handled }),
    })
  })
  afterEach(() => site.close())

  const post = (path = '/h/v1/5') => request(site.url).post(`/wp-json${path}`)

  describe('rest_pre_dispatch', () => {
    it('answers in the place of the route', async () => {
      site.hooks.addFilter('rest_pre_dispatch', (result, { params, user }) => result ?? { id: params.id, user })
      await post().expect(200, { id: '5', user: null })
      expect(handled).to.equal(0)
    })

    it('lets the request go on with null, and may refuse it', async () => {
      let seen: unknown
      site.hooks.addFilter('rest_pre_dispatch', (result, { method, route, user }) => {
        seen = { result, method, route, login: user?.login }
        return result
      })
      await post().set('Authorization', site.admin).send({ text: 'x' }).expect(200, { handled: 1 })
      expect(seen).to.deep.equal({ result: null, method: 'POST', route: '/h/v1/5', login: 'admin' })
      site.hooks.addFilter('rest_pre_dispatch', () => {
        throw new RestError('read_only', 'Not now.', { status: 403 })
      })
      await post().expect(403, /read_only/)
    })

    it('is not asked about routes that do not exist', async () => {
      site.hooks.addFilter('rest_pre_dispatch', () => 'here')
      await post('/h/v1/nope').expect(404)
    })
  })

  describe('rest_post_dispatch', () => {
    it('sees every answer, refusals too, and may change it', async () => {
      const seen: number[] = []
      site.hooks.addFilter('rest_post_dispatch', async (response) => {
        seen.push(response.status)
        return new RestResponse(response.body, { status: response.status, headers: { 'X-Seen': 'yes' } })
      })
      const signedIn = () => post().set('Authorization', site.admin)
      await signedIn().send({ text: 'x' }).expect(200, { handled: 1 }).expect('X-Seen', 'yes')
      await signedIn().send({}).expect(400).expect('X-Seen', 'yes')
      await post().expect(401)
      expect(seen).to.deep.equal([200, 400, 401])
    })

    it('comes before _fields', async () => {
      site.hooks.addFilter('rest_post_dispatch', (response) => response.with({ a: 1, b: 2 }))
      await post('/h/v1/5?_fields=b').set('Authorization', site.admin).send({ text: 'x' }).expect(200, { b: 2 })
    })
  })
})
