import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import request from 'supertest'
import { RestError } from '../../core/errors.ts'
import { RestResponse } from '../../core/rest/response.ts'
import type { Route } from '../../core/rest/types.ts'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST answers', () => {
  let site: RestSite
  before(async () => {
    site = await createRestSite({ corsOrigins: ['https://app.example/'] })
  })
  after(() => site.close())

  let count = 0
  /** Registers a public route and answers its path. */
  function route(handler: Route['handler'], more: Partial<Route> = {}): string {
    const path = `/${++count}`
    site.rest.registerRoute('answers/v1', { method: 'GET', path, access: 'public', ...more, handler })
    return `/wp-json/answers/v1${path}`
  }
  const get = (path: string) => request(site.url).get(path)

  describe('of a handler', () => {
    it('are what it returns, as JSON', async () => {
      await get(route(() => ({ a: [1, null, 'x'] }))).expect(200, '{"a":[1,null,"x"]}')
      await get(route(async () => 'text'))
        .expect(200, '"text"')
        .expect('Content-Type', /json/)
      await get(route(() => undefined)).expect(200, 'null')
      await get(route(() => 0)).expect(200, '0')
    })

    it('carry status and headers of a RestResponse, over the usual ones', async () => {
      const path = route(() => {
        const headers = { Location: '/x', 'Cache-Control': 'max-age=60', Vary: 'Accept', Link: '<y>; rel="next"' }
        return new RestResponse({ id: 1 }, { status: 201, headers })
      })
      const { headers } = await get(path).expect(201, { id: 1 })
      expect(headers).to.include({
        location: '/x',
        'cache-control': 'max-age=60',
        vary: 'Origin, Accept',
        link: '<y>; rel="next"',
      })
      const empty = await get(route(() => new RestResponse(null, { status: 204 }))).expect(204)
      expect(empty.text).to.equal('')
    })

    it('are text, bytes or a stream as they are', async () => {
      const csv = route(() => new RestResponse('a,b\n', { headers: { 'Content-Type': 'text/csv' } }))
      await get(csv).expect(200, 'a,b\n').expect('Content-Type', 'text/csv')
      await get(route(() => new RestResponse('a,b', { status: 201 }))).expect(201, '"a,b"')
      const bytes = await get(route(() => new RestResponse(Buffer.from([0, 255])))).expect(200)
      expect(bytes.body).to.deep.equal(Buffer.from([0, 255]))
      expect(bytes.headers['content-type']).to.equal('application/octet-stream')
      const stream = route(
        () => new RestResponse(Readable.from(['a', 'b']), { headers: { 'Content-Type': 'text/plain' } }),
      )
      await get(stream).expect(200, 'ab')
    })

    it('end with the client: the signal fires and the stream is destroyed', async () => {
      const source = new Readable({ read() {} })
      let signal: AbortSignal | undefined
      const path = route((request) => {
        signal = request.signal
        source.push('first')
        return new RestResponse(source)
      })
      const leaving = new AbortController()
      const answer = await fetch(site.url + path, { signal: leaving.signal })
      await answer.body?.getReader().read()
      expect(signal?.aborted).to.equal(false)
      const closed = new Promise((resolve) => source.on('error', () => {}).once('close', resolve))
      leaving.abort()
      await closed
      expect(signal?.aborted).to.equal(true)
    })

    it('leave no stream open that HEAD does not read', async () => {
      const source = new Readable({ read() {} })
      const closed = once(source, 'close')
      await request(site.url)
        .head(route(() => new RestResponse(source)))
        .expect(200)
      await closed
    })
  })

  describe('errors', () => {
    it('are a RestError as it says, with its headers', async () => {
      const path = route(() => {
        throw new RestError('too_fast', 'Slower, please.', { status: 429, wait: 5 }, { 'Retry-After': '5' })
      })
      await get(path)
        .expect('Retry-After', '5')
        .expect(429, { code: 'too_fast', message: 'Slower, please.', data: { status: 429, wait: 5 } })
    })

    it('may be several, in the shape of WordPress', async () => {
      const path = route(() => {
        throw new RestError('invalid', 'Not valid.', { status: 400, fields: 2 })
          .add('no_title', 'It has no title.', { field: 'title' })
          .add('no_author', 'It has no author.')
      })
      await get(path).expect(400, {
        ...{ code: 'invalid', message: 'Not valid.', data: { status: 400, fields: 2 } },
        additional_errors: [
          { code: 'no_title', message: 'It has no title.', data: { field: 'title' } },
          { code: 'no_author', message: 'It has no author.', data: null },
        ],
      })
    })

    it('may be returned as well as thrown', () =>
      get(route(() => new RestError('gone', 'Gone.', { status: 410 }))).expect(410, /gone/))

    it('reveal nothing about a bug except its request id in the log', async () => {
      const told: unknown[] = []
      const owner = {
        id: 'hello',
        signal: new AbortController().signal,
        onError: (...args: unknown[]) => told.push(args),
      }
      const bug = new Error('password is hunter2 in /srv/secret.ts')
      const undo = site.rest.registerRoute(
        'answers/v1',
        {
          method: 'GET',
          path: '/bug',
          access: 'public',
          handler: () => {
            throw bug
          },
        },
        owner,
      )
      const { body, headers } = await get('/wp-json/answers/v1/bug').expect(500)
      const requestId = headers['x-request-id']
      expect(body).to.deep.equal({
        code: 'internal_error',
        message: 'An unexpected error occurred.',
        data: { status: 500, requestId },
      })
      expect(told).to.deep.equal([[bug, 'GET /answers/v1/bug', requestId]])
      undo()
    })

    it('name the owner of a route that throws what cannot be read, or answers what cannot be sent', async () => {
      const told: unknown[] = []
      const owner = { id: 'hello', signal: new AbortController().signal, onError: (error: unknown) => told.push(error) }
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      const handler = () => {
        throw proxy
      }
      const undo = site.rest.registerRoute(
        'answers/v1',
        { method: 'GET', path: '/unreadable', access: 'public', handler },
        owner,
      )
      await get('/wp-json/answers/v1/unreadable').expect(500, /internal_error/)
      const undoToo = site.rest.registerRoute(
        'answers/v1',
        { method: 'GET', path: '/fetched', access: 'public', handler: () => new Response('text') },
        owner,
      )
      await get('/wp-json/answers/v1/fetched').expect(500, /internal_error/)
      expect(told.map(String)).to.deep.equal([
        'Error: The code threw a value that cannot be read.',
        'TypeError: The handler of /answers/v1/fetched returned a fetch Response; return a RestResponse instead.',
      ])
      undo()
      undoToo()
    })

    it('say that the extension was unloaded while its handler ran, which counts as no error', async () => {
      const told: unknown[] = []
      const unload = new AbortController()
      const owner = { id: 'going', signal: unload.signal, onError: (...args: unknown[]) => told.push(args) }
      const begun = Promise.withResolvers<void>()
      const handler = () => {
        begun.resolve()
        return new Promise(() => {})
      }
      const undo = site.rest.registerRoute(
        'answers/v1',
        { method: 'GET', path: '/going', access: 'public', handler },
        owner,
      )
      const answer = get('/wp-json/answers/v1/going').expect(503, /rest_unavailable/)
      const asked = answer.then(({ headers }) => headers)
      await begun.promise
      unload.abort(new Error('Unloaded.'))
      expect(await asked).to.have.property('retry-after', '1')
      expect(told).to.deep.equal([])
      undo()
    })

    it('are logged if the route belongs to no extension', async () => {
      const { headers } = await get(
        route(async () => {
          throw new TypeError('oops')
        }),
      ).expect(500)
      expect(site.records.some((record) => record.requestId === headers['x-request-id'])).to.equal(true)
    })

    it('come from permission checks too', async () => {
      const broken = route(() => 1, {
        access: () => {
          throw new TypeError('oops')
        },
      })
      await get(broken).expect(500, /internal_error/)
      const refusing = route(() => 1, {
        access: async () => {
          throw new RestError('post_not_found', 'No such post.', { status: 404 })
        },
      })
      await get(refusing).expect(404, /post_not_found/)
      // As in WordPress, where a check returns a `WP_Error`.
      const returning = route(() => 1, {
        access: () => new RestError('post_not_found', 'No such post.', { status: 404 }) as never,
      })
      await get(returning).expect(404, /post_not_found/)
    })

    it('are JSON even if the answer cannot be sent', async () => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      await get(route(() => circle))
        .expect(500, /internal_error/)
        .expect('Content-Type', /json/)
      await get(route(() => ({ big: 1n }))).expect(500, /internal_error/)
      await get(route(() => new RestResponse(1, { headers: { 'X-Bad': 'a\r\nb' } }))).expect(500, /internal_error/)
      await get(route(() => new RestResponse(1, { status: 7 }))).expect(500, /internal_error/)
    })
  })

  describe('_fields', () => {
    const item = { id: 1, title: { rendered: 'Hi', raw: 'hi' }, tags: [{ id: 5, name: 'x' }], _links: { self: [] } }

    it('keeps only those of an object or of each of a list', async () => {
      const one = route(() => item)
      const many = route(() => [item, item])
      await get(`${one}?_fields=id,title.rendered`).expect(200, { id: 1, title: { rendered: 'Hi' } })
      await get(`${many}?_fields=id`).expect(200, [{ id: 1 }, { id: 1 }])
      await get(`${one}?_fields[]=id&_fields[]=tags.name`).expect(200, { id: 1, tags: [{ name: 'x' }] })
      await get(`${one}?_fields=title,title.raw,nope,constructor`).expect(200, { title: item.title })
      await get(`${one}?_fields=`).expect(200, item)
    })

    it('leaves refusals alone', () => get('/wp-json/nope?_fields=x').expect(404, /rest_no_route/))
  })

  describe('_envelope', () => {
    it('puts status and headers into the body', async () => {
      const path = route(() => new RestResponse([{ id: 1, x: 2 }], { status: 201, headers: { 'X-WP-Total': '49' } }))
      const { body, headers } = await get(`${path}?_fields=id&_envelope`).expect(200)
      expect(body).to.deep.equal({ body: [{ id: 1 }], status: 201, headers: { 'X-WP-Total': 49, Allow: 'GET' } })
      expect(headers).not.to.have.any.keys('allow', 'x-wp-total')
    })

    it('has no place for bytes and streams', async () => {
      const source = new Readable({ read() {} })
      const path = route(() => new RestResponse(source), { method: 'POST' })
      const requests = [{ path: path.replace('/wp-json', '') }]
      const { body } = await request(site.url).post('/wp-json/batch/v1').send({ requests }).expect(207)
      expect(body.responses[0].body).to.equal(null)
      expect(source.destroyed).to.equal(true)
    })

    it('takes refusals too', async () => {
      const { body } = await get(`${route(() => 1, { access: 'manage_options' })}?_envelope=1`).expect(200)
      expect(body).to.deep.include({ status: 401, headers: {} })
    })
  })

  describe('_embed', () => {
    const fetched: string[] = []
    const link = (path: string, more: object = { embeddable: true }) => ({
      href: `http://site.example${path}`,
      ...more,
    })
    let author = ''
    before(() => {
      author = route(({ user, query }) => {
        fetched.push('author')
        return { name: user?.login ?? 'nobody', context: query.get('context') }
      })
    })
    const post = (id: number) => ({
      id,
      _links: {
        author: [link(author)],
        'wp:term': [link(`${author}?context=view`), link('/wp-json/nope'), link(author, {})],
        about: [link(author, {})],
        foreign: [{ href: 'https://elsewhere.example/wp-json/x', embeddable: true }],
      },
    })

    it('fetches what is embeddable with the identity of the caller, each link once', async () => {
      fetched.length = 0
      const path = route(() => [post(1), post(2)])
      const { body } = await get(`${path}?_embed`).set('Authorization', site.admin).expect(200)
      expect(Object.keys(body[0]._embedded)).to.deep.equal(['author', 'wp:term'])
      expect(body[0]._embedded.author).to.deep.equal([{ name: 'admin', context: 'embed' }])
      expect(body[1]._embedded['wp:term'][0]).to.deep.equal({ name: 'admin', context: 'view' })
      expect(body[1]._embedded['wp:term'][1].code).to.equal('rest_no_route')
      expect(body[1]._embedded['wp:term'][2]).to.deep.equal([])
      expect(fetched).to.have.length(2)
    })

    it('leaves out what is empty, as WordPress does', async () => {
      const replies = route(() => [])
      const path = route(() => ({ _links: { replies: [link(replies)], both: [link(replies), link(author)] } }))
      const { body } = await get(`${path}?_embed`).expect(200)
      expect(body._embedded).to.have.all.keys('both')
      expect(body._embedded.both).to.have.length(2)
    })

    it('takes the relations wanted', async () => {
      const path = route(() => post(1))
      const { body } = await get(`${path}?_embed=author,up`).expect(200)
      expect(body._embedded).to.deep.equal({ author: [{ name: 'nobody', context: 'embed' }] })
      expect((await get(path)).body).not.to.have.property('_embedded')
    })

    it('goes with _fields', async () => {
      const path = route(() => post(1))
      const shown = async (fields: string) => Object.keys((await get(`${path}?_embed&_fields=${fields}`)).body)
      expect(await shown('id')).to.deep.equal(['id'])
      expect(await shown('id,_links')).to.deep.equal(['id', '_links', '_embedded'])
      expect(await shown('id,_links,_embedded')).to.deep.equal(['id', '_links', '_embedded'])
    })

    it('does not show a visitor what is closed to them', async () => {
      site.rest.registerRoute('answers/v1', {
        method: 'GET',
        path: '/secret',
        access: 'manage_options',
        handler: () => ({ secret: true }),
      })
      const path = route(() => ({ _links: { x: [link('/wp-json/answers/v1/secret')] } }))
      expect((await get(`${path}?_embed`)).body._embedded.x[0].code).to.equal('rest_forbidden')
      const seen = await get(`${path}?_embed`).set('Authorization', site.admin)
      expect(seen.body._embedded.x[0]).to.deep.equal({ secret: true })
    })
  })

  describe('CORS', () => {
    const asked = async (origin: string) => (await get('/wp-json/').set('Origin', origin)).headers

    it('lets every origin read, but only known ones with credentials', async () => {
      for (const origin of ['http://site.example', 'https://app.example']) {
        expect(await asked(origin)).to.include({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-credentials': 'true',
        })
      }
      for (const origin of ['https://elsewhere.example', 'https://app.example.evil.example', 'http://app.example']) {
        const headers = await asked(origin)
        expect(headers['access-control-allow-origin']).to.equal(origin)
        expect(headers).not.to.have.property('access-control-allow-credentials')
      }
    })

    it('gives `Origin: null` nothing: sandboxed frames and local files share it', async () => {
      const headers = await asked('null')
      for (const granted of ['origin', 'credentials', 'methods']) {
        expect(headers).not.to.have.property(`access-control-allow-${granted}`)
      }
    })

    it('answers a preflight without credentials, and refusals with the headers too', async () => {
      const path = route(() => 1, { method: 'PUT', access: 'manage_options' })
      const preflight = await request(site.url)
        .options(path)
        .set('Origin', 'https://app.example')
        .set('Access-Control-Request-Method', 'PUT')
        .expect(200)
      expect(preflight.headers['access-control-allow-headers']).to.include('X-WP-Nonce')
      const refused = await request(site.url).put(path).set('Origin', 'https://app.example').expect(401)
      expect(refused.headers['access-control-allow-origin']).to.equal('https://app.example')
    })

    it('does not echo an invalid origin', async () => {
      for (const origin of ['evil', 'https://a.example/path', 'javascript:alert(1)']) {
        expect(await asked(origin)).not.to.have.property('access-control-allow-origin')
      }
    })
  })
})
