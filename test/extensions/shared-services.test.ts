import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { extensionSource } from './extension-site.ts'

/** Puts something else in the place of every function that it finds, and answers where it could. */
const REPLACE_ALL = `
  const replaced: string[] = []
  const seen = new Set<unknown>()
  const walk = (service: object, path: string) => {
    if (seen.has(service)) return
    seen.add(service)
    for (const key of Reflect.ownKeys(service)) {
      const member = Reflect.get(service, key)
      const name = path + '.' + String(key)
      const isPlain = typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype
      if (isPlain) walk(member, name)
      const isReplaced = Reflect.set(service, key, () => { throw new Error('replaced') })
        || Reflect.deleteProperty(service, key)
        || Reflect.defineProperty(service, key, { value: null })
      if (isReplaced) replaced.push(name)
    }
    if (Reflect.set(service, 'added', 1)) replaced.push(path + '.added')
  }
  for (const name of ['options', 'auth', 'content', 'mail', 'abilities', 'front', 'jobs'] as const) walk(host[name], name)
  host.rest.registerRoute('walker/v1', { method: 'GET', path: '/replaced', access: 'public', handler: () => replaced })`

describe('a service of the host, which all extensions share', () => {
  const folder = temporaryFolder()
  let site: TestHost

  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  async function activate(id: string, body: string): Promise<string | undefined> {
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(join(folder, id, 'index.ts'), extensionSource(id, body))
    const { extensions } = site.host
    await extensions.add(join(folder, id))
    return extensions.activate(id).then(
      () => undefined,
      (error) => error.message,
    )
  }

  const answerOf = async (route: string) => (await site.get(`/wp-json/${route}`)).json()

  for (const [id, assignment, property] of [
    ['opener', 'Object.assign(host.content, { canRead: async () => true })', 'canRead'],
    ['breaker', 'Object.assign(host.content.posts, { getByPath: null })', 'getByPath'],
  ] as const) {
    it(`is not changed by an assignment, whose author is told: ${assignment}`, async () => {
      await site.host.content.posts.insert({ title: 'Hidden', slug: 'hidden', content: 'secret', status: 'draft' })
      const refused = await activate(id, assignment)
      expect(refused).to.contain(`'${property}'`).and.contain(`${id}/index.ts:`)
      expect((await site.get('/hidden/')).status).to.equal(404)
      expect(await (await site.get('/hello-world/')).text()).to.contain('Welcome to Pentad')
    })
  }

  it('cannot be changed by an extension in any way', async () => {
    expect(await activate('walker', REPLACE_ALL)).to.equal(undefined)
    expect(await answerOf('walker/v1/replaced')).to.deep.equal([])
    expect((await site.get('/hello-world/')).status).to.equal(200)
  })

  it('returns read-only collections', async () => {
    const body = `
      const outcomes = [
        () => (host.auth.roles() as Map<string, unknown>).delete('administrator'),
        () => (host.auth.roles().get('subscriber')?.capabilities as Set<string>).add('manage_options'),
        () => (host.content.postTypes() as Map<string, unknown>).clear(),
        () => Object.assign(host.content.postTypes().get('post') ?? {}, { public: false }),
        () => (host.content.taxonomies() as Map<string, unknown>).clear(),
      ].map((attempt) => { try { attempt(); return 'changed' } catch (error) { return (error as Error).name } })
      host.rest.registerRoute('collector/v1', { method: 'GET', path: '/outcomes', access: 'public', handler: () => outcomes })`
    expect(await activate('collector', body)).to.equal(undefined)
    expect(await answerOf('collector/v1/outcomes')).to.deep.equal(Array(5).fill('TypeError'))
  })

  it('has the names of the release before, too', async () => {
    const body = `
      const { auth, license, site } = host
      const place = { file: site.dir + '/staging.db', schema: 'staging' }
      host.rest.registerRoute('former/v1', {
        method: 'GET',
        path: '/found',
        access: 'public',
        async handler() {
          const staging = await site.openDatabaseBeside(place)
          const { length } = await staging.db.selectFrom('application_passwords').selectAll().execute()
          await staging.close()
          await site.removeDatabaseBeside(place)
          // cspell:ignore licence
          return [auth.licence === license, length]
        },
      })`
    expect(await activate('former', body)).to.equal(undefined)
    expect(await answerOf('former/v1/found')).to.deep.equal([true, 0])
  })

  it('is closed by the host alone', async () => {
    const body = `
      const found = [host.options, host.auth, host.license, host.mail].map((service) => 'close' in service)
      host.rest.registerRoute('closer/v1', { method: 'GET', path: '/found', access: 'public', handler: () => found })`
    expect(await activate('closer', body)).to.equal(undefined)
    expect(await answerOf('closer/v1/found')).to.deep.equal([false, false, false, false])
  })
})
