import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { createRestSite, type RestSite } from './rest-site.ts'

describe('REST request bodies', () => {
  let site: RestSite
  before(async () => {
    site = await createRestSite()
    const input = z.object({ v: z.unknown().optional() })
    site.rest.registerRoute('body/v1', {
      method: ['POST', 'DELETE'],
      path: '/public',
      access: 'public',
      input,
      handler: ({ input }) => input,
    })
    site.rest.registerRoute('body/v1', {
      method: 'POST',
      path: '/gated',
      access: 'manage_options',
      input,
      handler: ({ input }) => ({ length: JSON.stringify(input).length }),
    })
    site.rest.registerRoute('body/v1', {
      method: 'POST',
      path: '/small',
      access: 'public',
      bodyLimit: 10,
      handler: () => null,
    })
    site.rest.registerRoute('body/v1', {
      method: 'PUT',
      path: '/stream',
      access: 'public',
      body: 'stream',
      async handler({ stream }) {
        let bytes = 0
        for await (const chunk of stream ?? []) bytes += chunk.length
        return { bytes }
      },
    })
  })
  after(() => site.close())

  const post = (route: string, type = 'application/json') =>
    request(site.url).post(`/wp-json/body/v1/${route}`).set('Content-Type', type)

  it('reads JSON, also with a byte order mark, a charset or a type of its own', async () => {
    await post('public').send('{"v":1}').expect(200, { v: 1 })
    await post('public').send('\uFEFF{"v":1}').expect(200, { v: 1 })
    await post('public', 'application/json; charset=iso-8859-1').send('{"v":1}').expect(200, { v: 1 })
    await post('public', 'application/ld+json').send('{"v":1}').expect(200, { v: 1 })
    await request(site.url).delete('/wp-json/body/v1/public').send({ v: 1 }).expect(200, { v: 1 })
  })

  it('takes the last of two equal names', () => post('public').send('{"v":1,"v":2}').expect(200, { v: 2 }))

  it('finds no parameters in lists and bare values', async () => {
    for (const body of ['[1,2]', '"text"', '5', 'null', '', '  ']) await post('public').send(body).expect(200, {})
  })

  it('reads forms and the fields of multipart forms, and keeps no file of them', async () => {
    await post('public', 'application/x-www-form-urlencoded')
      .send('v[a][]=1&v[a][]=2')
      .expect(200, { v: { a: ['1', '2'] } })
    const before = new Set(readdirSync(tmpdir()))
    const content = `kept ${crypto.randomUUID()}`
    await request(site.url)
      .post('/wp-json/body/v1/public')
      .field('v[a]', '1')
      .attach('file', Buffer.from(content), 'evil.php')
      .expect(200, { v: { a: '1' } })
    const added = readdirSync(tmpdir(), { withFileTypes: true }).filter(
      (entry) => entry.isFile() && !before.has(entry.name),
    )
    for (const { name } of added) expect(readFileSync(join(tmpdir(), name), 'utf8')).not.to.equal(content)
  })

  it('takes text for JSON if it is an object, as sendBeacon sends it, and ignores other types', async () => {
    await post('public', 'text/plain').send('{"v":1}').expect(200, { v: 1 })
    await post('public', 'text/plain').send('hello').expect(200, {})
    await post('public', 'application/xml').send('<v>1</v>').expect(200, {})
    await post('public', 'nonsense').send('x').expect(200, {})
  })

  it('refuses what no parser can read', async () => {
    const broken = await request(site.url)
      .post('/wp-json/body/v1/public')
      .set('Content-Type', 'multipart/form-data')
      .send('x')
    expect(broken.status).to.equal(400)
    const unzipped = await post('public').set('Content-Encoding', 'gzip').send('{"v":1}')
    expect(unzipped.status).to.equal(400)
    const encoding = await post('public').set('Content-Encoding', 'nonsense').send('{"v":1}')
    expect(encoding.body.code).to.equal('rest_unsupported_encoding')
  })

  describe('limits', () => {
    const tooLarge = async (sending: request.Test, size = '65536 bytes') => {
      const { body } = await sending.expect(413)
      expect(body.code).to.equal('rest_request_too_large')
      expect(body.message).to.equal(`The request body is larger than ${size}.`)
    }
    const json = (bytes: number) => JSON.stringify({ v: 'x'.repeat(bytes - 8) })

    it('takes 64 KiB on a public route', async () => {
      await post('public')
        .send(json(64 * 1024))
        .expect(200)
      await tooLarge(post('public').send(json(64 * 1024 + 1)))
      await tooLarge(post('public', 'application/x-www-form-urlencoded').send(`v=${'x'.repeat(64 * 1024)}`))
    })

    it('accepts 1 MiB on a route with a permission, or the limit of the route', async () => {
      const gated = () => post('gated').set('Authorization', site.admin)
      await gated()
        .send(json(1024 * 1024))
        .expect(200)
      await tooLarge(gated().send(json(1024 * 1024 + 1)), '1 MB')
      await tooLarge(post('small').send('{"v":"too much"}'), '10 bytes')
    })

    it('counts what was compressed as it unpacks', async () => {
      const send = (body: string) =>
        fetch(`${site.url}/wp-json/body/v1/public`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
          body: gzipSync(body),
        })
      expect(await (await send('{"v":1}')).json()).to.deep.equal({ v: 1 })
      expect((await send(json(5_000_000))).status).to.equal(413)
    })

    it('stops reading a body without Content-Length when it exceeds the limit', async () => {
      const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write('POST /wp-json/body/v1/public HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
      socket.write('Transfer-Encoding: chunked\r\n\r\n')
      for (let sent = 0; sent < 2; sent++) socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).to.match(/^HTTP\/1\.1 413 /)
      socket.destroy()
    })

    it('reads nothing from who has no permission', async () => {
      await post('gated').send('{bad').expect(401)
      await post('gated').send(json(2_000_000)).expect(401)
    })

    it('reads a multipart form that does not say its length, up to the limit', async () => {
      const answerTo = (file: string) => {
        const parts = [
          'Content-Disposition: form-data; name="a"\r\n\r\n1',
          `Content-Disposition: form-data; name="b"; filename="b.txt"\r\n\r\n${file}`,
        ]
        return fetch(`${site.url}/wp-json/body/v1/public`, {
          method: 'POST',
          headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
          body: new Blob([`${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`]).stream(),
          duplex: 'half',
        })
      }
      expect((await answerTo('small')).status).to.equal(200)
      const large = await answerTo('x'.repeat(300_000))
      expect(large.status).to.equal(413)
    })
  })

  describe('hostile input', () => {
    it('refuses names that reach prototypes, at any depth, wherever they come from', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const refused = async (sending: request.Test) => {
          const { body } = await sending.expect(400)
          expect(body.code).to.equal('rest_invalid_param')
          expect(Object.keys(body.data.params)).to.deep.equal([name])
        }
        await refused(post('public').send(`{"${name}":{"admin":true}}`))
        await refused(post('public').send(`{"v":[{"a":{"${name}":1}}]}`))
        await refused(post('public', 'application/x-www-form-urlencoded').send(`v[${name}][admin]=1`))
        await refused(post(`public?${name}=1`).send('{}'))
        await refused(post(`public?v[${name}]=1`).send('{}'))
        await refused(request(site.url).post('/wp-json/body/v1/public').field(`v[${name}]`, '1'))
      }
      expect({}).not.to.have.property('admin')
    })

    it('refuses NUL, which a database may not store', async () => {
      await post('public').send('{"v":"a\\u0000b"}').expect(400)
      await post('public').send('{"v":{"a\\u0000b":1}}').expect(400)
      await post('public?v=a%00b').send('{}').expect(400)
      await request(site.url).post('/wp-json/body/v1/pub%00lic').expect(404)
    })

    it('refuses nesting without an end', async () => {
      const { body } = await post('public')
        .send(`{"v":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
        .expect(400)
      expect(body.data.json_error_message).to.equal('Maximum stack depth exceeded')
      await post(`public?v${'[a]'.repeat(100)}=1`)
        .send('{}')
        .expect(400)
    })

    it('survives odd values', async () => {
      for (const value of ['1e999', '-0', '123456789012345678901234567890', '"\\ud800"', '"\\u202e"', '[]', '{}']) {
        await post('public').send(`{"v":${value}}`).expect(200)
      }
      for (const query of [
        '%',
        '%ff',
        '&&&',
        '=',
        '[',
        'v[',
        'v]',
        'v[]]=1',
        '[v]=1',
        'v[[a]]=1',
        'a=1&a[b]=2',
        'a.b=1',
      ]) {
        await post(`public?${query}`).send('{}').expect(200)
      }
    })
  })

  it('leaves the bytes to a route that wants the stream', async () => {
    await request(site.url).put('/wp-json/body/v1/stream').send('x'.repeat(200_000)).expect(200, { bytes: 200_000 })
  })
})
