import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import { ANONYMOUS } from '../../core/auth/index.ts'
import type { Owner } from '../../core/owner.ts'
import type { Route } from '../../core/rest/types.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST routes', () => {
  let site: RestSite
  beforeEach(async () => {
    site = await createRestSite()
  })
  afterEach(() => site.close())

  const route = (path: string, answer: unknown, more: Partial<Route> = {}): Route => ({
    method: 'GET',
    path,
    access: 'public',
    handler: () => answer,
    ...more,
  })
  const owner = (id: string): Owner => ({ id, signal: new AbortController().signal, onError: () => {} })
  const get = (path: string) => request(site.url).get(`/wp-json${path}`)

  describe('registerRoute', () => {
    it('adds a route until undone, with its namespace', async () => {
      const undo = site.rest.registerRoute('a/v1', route('/x', 1))
      await get('/a/v1/x').expect(200, '1')
      await get('/a/v1').expect(200)
      undo()
      undo()
      await get('/a/v1/x').expect(404)
      await get('/a/v1').expect(404)
      expect((await get('/')).body.namespaces).to.deep.equal([])
      expect(site.openApi().paths).to.have.all.keys('/', '/batch/v1')
    })

    it('refuses a method and path that are taken, however the captures are called', () => {
      site.rest.registerRoute('a/v1', route('/x/{id:\\d+}', 1), owner('first'))
      const again = () => site.rest.registerRoute('a/v1', route('/x/{post:\\d+}', 2))
      expect(again).to.throw('GET /a/v1/x/{post} is already registered by first.')
      site.rest.registerRoute('a/v1', route('/x/{post:\\d+}', 2, { method: 'DELETE' }))
    })

    it('rejects invalid routes', () => {
      const add = (namespace: string, path: string) => () => site.rest.registerRoute(namespace, route(path, 1))
      expect(add('a b', '/x')).to.throw('is not a valid namespace')
      expect(add('/a/v1', '/x')).to.throw('is not a valid namespace')
      expect(add('a/v1', '/{id')).to.throw('braces')
      expect(add('a/v1', '/{1}')).to.throw('not a capture')
      expect(add('a/v1', '/{id}/{id}')).to.throw('twice')
      expect(add('a/v1', '/{id:(}')).to.throw()
      expect(() => site.rest.registerRoute('a/v1', route('/x', 1, { method: [] }))).to.throw('no method')
    })

    it('shows two methods of one path as one route', async () => {
      site.rest.registerRoute('a/v1', route('/x', 1))
      site.rest.registerRoute('a/v1', route('/x', 2, { method: ['PUT', 'POST'], access: 'manage_options' }))
      const { body } = await get('/a/v1')
      expect(Object.keys(body.routes)).to.deep.equal(['/a/v1', '/a/v1/x'])
      expect(body.routes['/a/v1/x'].methods).to.deep.equal(['GET', 'POST', 'PUT'])
      expect(body.routes['/a/v1/x'].endpoints).to.have.length(2)
      await get('/a/v1/x').expect('Allow', 'GET')
      await get('/a/v1/x').set('Authorization', site.admin).expect('Allow', 'GET, POST, PUT')
      await request(site.url).put('/wp-json/a/v1/x').expect(401).expect('Allow', 'GET')
    })
  })

  describe('matching', () => {
    it('prefers literals over patterns over captures, in whatever order they came', async () => {
      for (const path of ['/{any}', '/{id:\\d+}', '/me', '/map-{name}.{type:xml|json}', '/{any}/x', '/me/{last}']) {
        site.rest.registerRoute('m/v1', { ...route(path, 0), handler: ({ params }) => ({ path, params }) })
      }
      const found = async (path: string) => (await get(`/m/v1${path}`)).body
      expect(await found('/me')).to.deep.equal({ path: '/me', params: {} })
      expect(await found('/12')).to.deep.equal({ path: '/{id:\\d+}', params: { id: '12' } })
      expect(await found('/12a')).to.deep.equal({ path: '/{any}', params: { any: '12a' } })
      expect((await found('/map-a.b.xml')).params).to.deep.equal({ name: 'a.b', type: 'xml' })
      expect((await found('/map-a.txt')).path).to.equal('/{any}')
      expect((await found('/me/y')).path).to.equal('/me/{last}')
      expect((await found('/you/x')).params).to.deep.equal({ any: 'you' })
      expect((await found('/you/y')).code).to.equal('rest_no_route')
    })

    it('falls back to a parameter if the literal path lacks the method', async () => {
      site.rest.registerRoute('m/v1', route('/me', 'literal'))
      site.rest.registerRoute('m/v1', route('/{id}', 'capture', { method: 'DELETE' }))
      await request(site.url).delete('/wp-json/m/v1/me').expect(200, '"capture"')
    })

    it('decodes segments; a coded slash separates nothing', async () => {
      site.rest.registerRoute('m/v1', { ...route('/{name}', 0), handler: ({ params }) => params.name })
      await get('/m/v1/%C3%BC%20b%2E').expect(200, '"ü b."')
      await get('/m/v1/a/').expect(200, '"a"')
      for (const path of [
        '/m/v1/a%2Fb',
        '/m/v1/%',
        '/m/v1/%ff',
        '/m/v1/%00',
        '/m//v1/a',
        '/m/v1/a/b',
        '/m/v1/..%2f..',
      ]) {
        await get(path).expect(404).expect('Content-Type', /json/)
      }
    })

    it('takes ?rest_route= as the same, decoded once', async () => {
      site.rest.registerRoute('m/v1', { ...route('/{name}', 0), handler: ({ params }) => params.name })
      await request(site.url).get('/').query({ rest_route: '/m/v1/50%25 off' }).expect(200, '"50%25 off"')
    })
  })

  describe('alias', () => {
    it('answers a route at a path of the site too, until undone', async () => {
      site.rest.registerRoute('a/v1', route('/x', 1, { access: 'read' }))
      const undo = site.rest.alias('/hello', '/a/v1/x')
      const ask = () => request(site.url).get('/hello')
      await ask().set('Authorization', site.subscriber).expect(200, '1')
      expect((await ask().expect(401)).body.code).to.equal('rest_forbidden')
      expect((await request(site.url).post('/hello').expect(404)).body.code).to.equal('rest_no_route')
      undo()
      expect((await ask().set('Authorization', site.subscriber).expect(404)).text).to.equal('Not Found')
    })

    it('rejects invalid, reserved and taken paths', () => {
      const serve = (path: string) => () => site.rest.alias(path, '/a/v1/x')
      for (const path of ['hello', '/', '/a b', '/a/', '/{id}', '/wp-json/x', '/wp-login.php']) {
        expect(serve(path)).to.throw("A route can't have the alias")
      }
      serve('/well-known/x.json')()
      expect(serve('/well-known/x.json')).to.throw('/well-known/x.json is taken by /a/v1/x.')
    })

    it('has its former name serveAt until 1.0.0', async () => {
      site.rest.registerRoute('a/v1', route('/former', 1))
      site.rest.serveAt('/former', '/a/v1/former')
      await request(site.url).get('/former').expect(200, '1')
    })
  })

  describe('HEAD', () => {
    it('answers as GET without a body', async () => {
      site.rest.registerRoute('a/v1', route('/x', { hello: 'world' }))
      const { text, headers } = await request(site.url).head('/wp-json/a/v1/x').expect(200).expect('Allow', 'GET')
      expect(text).to.equal(undefined)
      expect(headers['content-length']).to.equal('17')
    })
  })

  describe('Pro routes', () => {
    it('exist only with a license', async () => {
      const { privateKey, publicKey } = generateLicenseKeyPair()
      await site.close()
      site = await createRestSite({ licensePublicKey: publicKey })
      site.rest.registerRoute('pro/v1', route('/x', 'pro', { pro: true, access: 'manage_options' }))
      const shown = async () => ({
        status: (await get('/pro/v1/x').set('Authorization', site.admin)).status,
        namespaces: (await get('/')).body.namespaces,
        index: (await get('/pro/v1')).status,
        options: (await request(site.url).options('/wp-json/pro/v1/x')).status,
        routes: site.rest.routes().some(({ path }) => path === '/pro/v1/x'),
      })
      const gone = { status: 404, namespaces: [], index: 404, options: 404, routes: false }
      expect(await shown()).to.deep.equal(gone)
      await get('/pro/v1/x').expect(404, /rest_no_route/)

      await site.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))
      expect(await shown()).to.deep.equal({
        status: 200,
        namespaces: ['pro/v1'],
        index: 200,
        options: 200,
        routes: true,
      })
      await site.license.remove()
      expect(await shown()).to.deep.equal(gone)
    })
  })

  describe('routes with a condition', () => {
    it('exist only while it holds', async () => {
      let isOn = false
      site.rest.registerRoute('shop/v1', route('/carts', 'a cart', { when: () => isOn }))
      const shown = async () => ({
        status: (await get('/shop/v1/carts')).status,
        namespaces: (await get('/')).body.namespaces,
        options: (await request(site.url).options('/wp-json/shop/v1/carts')).status,
      })
      const gone = { status: 404, namespaces: [], options: 404 }
      expect(await shown()).to.deep.equal(gone)
      isOn = true
      expect(await shown()).to.deep.equal({ status: 200, namespaces: ['shop/v1'], options: 200 })
      isOn = false
      expect(await shown()).to.deep.equal(gone)
    })

    it('do not exist while the condition throws', async () => {
      const broken = { when: () => JSON.parse('{') }
      site.rest.registerRoute('shop/v1', route('/carts', 'a cart', broken))
      await get('/shop/v1/carts').expect(404, /rest_no_route/)
      await get('/').expect(200)
    })
  })

  describe('stage', () => {
    it('shows all routes at once', async () => {
      const set = site.rest.stage(owner('hello'))
      set.registerRoute('s/v1', route('/x', 1))
      set.registerRoute('s/v1', route('/y', 2))
      await get('/s/v1/x').expect(404)
      set.commit()
      await get('/s/v1/x').expect(200)
      await get('/s/v1/y').expect(200)
      set.registerRoute('s/v1', route('/z', 3))
      await get('/s/v1/z').expect(200)
      expect(set.list()).to.deep.equal(['GET /s/v1/x', 'GET /s/v1/y', 'GET /s/v1/z'])
    })

    it('puts a new set in the place of the old one', async () => {
      const old = site.rest.stage(owner('hello'))
      const undoOld = old.registerRoute('s/v1', route('/x', 'old'))
      old.registerRoute('s/v1', route('/gone', 'old'))
      old.commit()
      const next = site.rest.stage(owner('hello'))
      next.registerRoute('s/v1', route('/x', 'new'))
      await get('/s/v1/x').expect(200, '"old"')
      next.commit(old)
      await get('/s/v1/x').expect(200, '"new"')
      await get('/s/v1/gone').expect(404)
      undoOld()
      old[Symbol.dispose]()
      await get('/s/v1/x').expect(200, '"new"')
      expect(() => old.registerRoute('s/v1', route('/late', 'old'))).to.throw('was unloaded')
    })

    it('lets requests under way finish with the handler they began with', async () => {
      const held = Promise.withResolvers<string>()
      const entered = Promise.withResolvers<void>()
      const old = site.rest.stage(owner('hello'))
      old.registerRoute('s/v1', {
        ...route('/x', 0),
        handler: () => {
          entered.resolve()
          return held.promise
        },
      })
      old.commit()
      const underWay = get('/s/v1/x').then(({ body }) => body)
      await entered.promise
      const next = site.rest.stage(owner('hello'))
      next.registerRoute('s/v1', route('/x', 'new'))
      next.commit(old)
      await get('/s/v1/x').expect(200, '"new"')
      held.resolve('old')
      expect(await underWay).to.equal('old')
    })

    it('changes nothing on a conflict with another owner', async () => {
      site.rest.registerRoute('s/v1', route('/taken', 'other'), owner('other'))
      const old = site.rest.stage(owner('hello'))
      old.registerRoute('s/v1', route('/x', 'old'))
      old.commit()
      const next = site.rest.stage(owner('hello'))
      next.registerRoute('s/v1', route('/x', 'new'))
      next.registerRoute('s/v1', route('/taken', 'new'))
      expect(() => next.commit(old)).to.throw('GET /s/v1/taken is already registered by other.')
      next[Symbol.dispose]()
      await get('/s/v1/x').expect(200, '"old"')
      await get('/s/v1/taken').expect(200, '"other"')
    })

    it('refuses the same route twice in one set', () => {
      const set = site.rest.stage(owner('hello'))
      set.registerRoute('s/v1', route('/{a}', 1))
      expect(() => set.registerRoute('s/v1', route('/{b}', 2))).to.throw('twice')
    })

    it('leaves nothing behind, however often', async () => {
      const before = { routes: site.rest.routes(), paths: site.openApi().paths }
      let live = site.rest.stage(owner('hello'))
      live.commit()
      for (let reload = 0; reload < 300; reload++) {
        const next = site.rest.stage(owner('hello'))
        next.registerRoute(
          's/v1',
          route(`/x/{id:\\d{1,${(reload % 9) + 1}}}`, reload, { input: z.object({ id: z.int() }) }),
        )
        next.commit(live)
        live = next
      }
      live[Symbol.dispose]()
      expect({ routes: site.rest.routes(), paths: site.openApi().paths }).to.deep.equal(before)
    })
  })

  describe('dispatch', () => {
    it('answers a request from inside, with the permissions of its identity', async () => {
      site.rest.registerRoute('a/v1', {
        method: 'POST',
        path: '/x/{id}',
        access: 'manage_options',
        input: z.object({ id: z.int(), text: z.string() }),
        handler: ({ input, stream, clientAddress }) => ({ ...input, stream, clientAddress }),
      })
      const user = (await site.auth.users.getByLogin('admin')) ?? null
      const ask = { method: 'POST', route: '/a/v1/x/5?_fields=id,text,stream', body: { text: 'hi' } } as const
      expect(await site.rest.dispatch({ ...ask, identity: { ...ANONYMOUS, user } })).to.deep.equal({
        status: 200,
        headers: { Allow: 'POST' },
        body: { id: 5, text: 'hi', stream: null },
      })
      expect((await site.rest.dispatch({ ...ask, identity: ANONYMOUS })).status).to.equal(401)
      expect((await site.rest.dispatch({ ...ask, route: '/nope', identity: ANONYMOUS })).status).to.equal(404)
    })
  })
})
