import { expect } from 'chai'
import request from 'supertest'
import { z } from 'zod'
import { registerSettingsRoutes, settingsRoute } from '../../cms/settings/routes.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { openParts } from '../options/parts.ts'
import { createRestSite, type RestSite } from '../rest/rest-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('the settings routes', () => {
  let site: RestSite
  let parts: Awaited<ReturnType<typeof openParts>>

  before(async () => {
    site = await createRestSite()
    parts = await openParts(temporaryFolder(), site.hooks)
    const { settings } = parts.settings.register(
      'hello',
      z.object({
        greeting: z.string().max(20).default('Hello').meta({ title: 'Greeting', group: 'texts' }),
        apiKey: z.string().default('').meta({ secret: true }),
      }),
    )
    registerSettingsRoutes(site.rest, parts.settings)
    site.rest.registerRoute('hello/v1', settingsRoute(settings))
  })
  after(async () => {
    await parts.close()
    await site.close()
  })

  const put = (path: string, body: string | object, authorization = site.admin) =>
    request(site.url)
      .put(`/wp-json${path}`)
      .set('Authorization', authorization)
      .set('Content-Type', 'application/json')
      .send(body)
  const getSchema = (plugin: string) =>
    request(site.url).get(`/wp-json/host/v1/settings-schema/${plugin}`).set('Authorization', site.admin)

  describe('GET host/v1/settings-schema/{extension}', () => {
    it('answers the schema, never a value', async () => {
      await parts.settings.get('hello')?.update({ greeting: 'Gamarjoba', apiKey: 'k-123' })
      const { body, text, status } = await getSchema('hello')
      expect(status).to.equal(200)
      expect(body.status).to.equal('success')
      expect(body.data.schema.properties).to.deep.equal({
        greeting: { type: 'string', maxLength: 20, default: 'Hello', title: 'Greeting', group: 'texts' },
        apiKey: { type: 'string', secret: true },
      })
      expect(text).not.to.match(/Gamarjoba|k-123/)
    })

    for (const name of ['unknown-extension', 'constructor', '%00', '..%2f..', "'--"]) {
      it(`answers 404 or 400 for ${name}`, async () => {
        const { status, body } = await getSchema(name)
        expect(status).to.be.oneOf([400, 404])
        if (name === 'unknown-extension') expect(body.code).to.equal('extension_not_found')
      })
    }
  })

  it('have versions that reveal nothing about a secret', async () => {
    // The same record on another site, which has another key, has another version.
    const other = await openParts(temporaryFolder(), createHooks())
    const { settings } = other.settings.register(
      'hello',
      z.object({ apiKey: z.string().default('').meta({ secret: true }) }),
    )
    const empty = parts.settings.register('empty', z.object({ apiKey: z.string().default('') })).settings
    const otherEmpty = other.settings.register('empty', z.object({ apiKey: z.string().default('') })).settings
    expect(empty.version()).not.to.equal(otherEmpty.version())
    // Stored twice, a secret is encrypted twice.
    await settings.update({ apiKey: 'k-123' })
    const first = settings.version()
    await settings.update({ apiKey: 'k-124' })
    await settings.update({ apiKey: 'k-123' })
    expect(settings.version()).not.to.equal(first)
    await other.close()
  })

  for (const path of ['/host/v1/settings/hello', '/hello/v1/settings']) {
    describe(`PUT ${path}`, () => {
      it('writes and names what it does not know', async () => {
        const { status, body } = await put(path, { settings: { greeting: 'Hi', greting: 'Ho' } })
        expect(status).to.equal(200)
        expect(body).to.deep.equal({
          status: 'success',
          data: { updated: ['greeting'], unknown: ['greting'] },
        })
        expect(parts.settings.get('hello')?.get()).to.include({ greeting: 'Hi', greting: 'Ho' })
      })

      it('refuses a value that does not fit', async () => {
        const { status, body } = await put(path, { settings: { greeting: 'x'.repeat(21) } })
        expect(status).to.equal(400)
        expect(body.code).to.equal('rest_invalid_param')
        expect(body.data.params).to.deep.equal({ greeting: 'greeting must be at most 20 characters long.' })
      })

      it('answers the version of the record, which is another after each change', async () => {
        const first = (await put(path, { settings: { greeting: 'One' } })).headers.etag
        expect(first).to.equal(`"${parts.settings.get('hello')?.version()}"`)
        const same = (await put(path, { settings: { greeting: 'One' } })).headers.etag
        const other = (await put(path, { settings: { greeting: 'Two' } })).headers.etag
        expect(same).to.equal(first)
        expect(other).not.to.equal(first)
      })

      it('writes nothing where the record is not at the version that If-Match names', async () => {
        const etag = String((await put(path, { settings: { greeting: 'Mine' } })).headers.etag)
        const theirs = await put(path, { settings: { greeting: 'Theirs' } }).set('If-Match', etag)
        const now = String(theirs.headers.etag)
        const { status, body, headers } = await put(path, { settings: { greeting: 'Mine' } }).set('If-Match', etag)
        expect([status, body.code, headers.etag]).to.deep.equal([412, 'settings_changed', now])
        expect(parts.settings.get('hello')?.get().greeting).to.equal('Theirs')
        for (const matching of [now, '*', `"x", ${now}`, `W/${now}`]) {
          expect((await put(path, { settings: { greeting: 'Theirs' } }).set('If-Match', matching)).status).to.equal(200)
        }
      })

      it('lets one of ten win that know the same version at once', async () => {
        const etag = String((await put(path, { settings: { greeting: 'Before' } })).headers.etag)
        const names = Array.from({ length: 10 }, (_, index) => `Tab ${index}`)
        const answers = await Promise.all(
          names.map((greeting) => put(path, { settings: { greeting } }).set('If-Match', etag)),
        )
        const won = answers.flatMap(({ status }, index) => (status === 200 ? [names[index]] : []))
        expect(won).to.deep.equal([parts.settings.get('hello')?.get().greeting])
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200, 412]))
      })

      it('needs manage_options and says nothing about parameters without it', async () => {
        for (const [authorization, expected] of [
          [site.subscriber, 403],
          ['', 401],
        ] as const) {
          const { status, body } = await put(path, { settings: 'wrong' }, authorization)
          expect(status).to.equal(expected)
          expect(body.code).to.equal('rest_forbidden')
        }
      })

      it('needs settings to be an object', async () => {
        const missing = await put(path, {})
        expect(missing.status).to.equal(400)
        expect(missing.body).to.deep.include({ code: 'rest_missing_callback_param' })
        for (const settings of ['text', 7, [1]]) {
          const { status, body } = await put(path, { settings })
          expect(status).to.equal(400)
          expect(body.data.params).to.deep.equal({ settings: 'settings is not of type object.' })
        }
      })

      it('never answers 500 to hostile bodies', async () => {
        const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
        const hostile = [
          '{"settings":{"__proto__":{"admin":true}}}',
          '{"settings":{"a":{"constructor":{"prototype":{}}}}}',
          `{"settings":{"a":${deep}}}`,
          '{"settings":{"greeting":{"$sealed":"AAAA"}}}',
          '{"settings":{"greeting":null}}',
          '{"settings":{"a":"\\u0000"}}',
          `{"settings":{"a":"${'x'.repeat(70_000)}"}}`,
          '{"settings":',
        ]
        for (const body of hostile) {
          const { status } = await put(path, body)
          expect(status, body.slice(0, 60)).to.equal(400)
        }
        expect(Reflect.get({}, 'admin')).to.equal(undefined)
      })
    })
  }

  it('PUT host/v1/settings/{extension} answers 404 for an extension without settings', async () => {
    const { status, body } = await put('/host/v1/settings/nobody', { settings: {} })
    expect(status).to.equal(404)
    expect(body.code).to.equal('extension_not_found')
  })
})
