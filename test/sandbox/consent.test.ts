import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { writeGuest } from './guests.ts'

const asked = (permissions: string) => `permissions: { ${permissions} }, setup() {},`
const FILTER = "setup({ hooks }) { hooks.addFilter('the_content', (html) => html + '<p>filtered</p>') },"
const CONTENT = "permissions: { hooks: ['the_content'] }, "

describe('the consent to a sandboxed extension', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost()
  })
  after(() => host.close())

  const add = (folder: string) => host.host.extensions.add(folder)
  const stateOf = (id: string) => host.host.extensions.list().find((one) => one.id === id)?.state
  async function ask(method: string, path: string, body?: object, as = 'administrator') {
    const response = await host.request(`/wp-json/host/v1/extensions/${path}`, { method, ...(body && { body }), as })
    const json = z.looseObject({ data: z.unknown() }).parse(await response.json())
    return { ...json, status: response.status }
  }
  const permissionsOf = async (id: string) => (await ask('GET', `${id}/permissions`)).data

  it('lists what it asks for before it runs', async () => {
    await add(await writeGuest('asker', 'sandbox', asked("storage: 1, mail: { perHour: 5 }, hooks: ['the_content']")))
    const permissions = ['Use the hook the_content', 'Store up to 1 MB', 'Send up to 5 emails an hour']
    deepEqual(await permissionsOf('asker'), { permissions, added: ['run in a sandbox', ...permissions] })
    equal(stateOf('asker'), 'inactive')
    equal((await ask('POST', 'asker/activate')).status, 200)
    deepEqual(await permissionsOf('asker'), { permissions, added: [] })
    equal((await ask('GET', 'none/permissions')).status, 404)
    equal((await ask('GET', 'asker/permissions', undefined, 'editor')).status, 403)
  })

  it('does not depend on the wording of permissions, and what was stored as texts is still valid', async () => {
    const stored = () => z.record(z.string(), z.array(z.string())).parse(host.host.options.get('sandbox_consents'))
    deepEqual(stored().asker, ['hook the_content', 'storage 1', 'mail 5'])
    const texts = ['Use the hook the_content', 'Store up to 1 MB', 'Send up to 5 emails an hour']
    await host.host.options.modify('sandbox_consents', () => ({ ...stored(), asker: texts.slice(1) }))
    deepEqual(z.object({ added: z.array(z.string()) }).parse(await permissionsOf('asker')).added, texts.slice(0, 1))
    await host.host.options.modify('sandbox_consents', () => ({ ...stored(), asker: texts }))
    await host.host.extensions.reload('asker')
    deepEqual(stored().asker, ['hook the_content', 'storage 1', 'mail 5'])
  })

  it('is asked for again by a version that wants more, which a reload can allow', async () => {
    const folder = await writeGuest('wants-more', 'sandbox', asked('storage: 1'))
    await add(folder)
    await ask('POST', 'wants-more/activate')
    await writeGuest('wants-more', 'sandbox', asked('storage: 2, users: true'), '', folder)
    const added = ['See the name and roles of the current user', 'Store up to 2 MB']
    deepEqual(z.object({ added: z.array(z.string()) }).parse(await permissionsOf('wants-more')).added, added)
    for (const permissions of [[], added.slice(0, 1)])
      equal((await ask('POST', 'wants-more/reload', { permissions })).status, 409)
    deepEqual(z.object({ added: z.array(z.string()) }).parse(await permissionsOf('wants-more')).added, added)
    equal((await ask('POST', 'wants-more/reload', { permissions: added })).status, 200)
    deepEqual(z.object({ added: z.array(z.string()) }).parse(await permissionsOf('wants-more')).added, [])
  })

  it('is asked for by a version that leaves the sandbox', async () => {
    const folder = await writeGuest('leaves', 'sandbox', asked(''))
    await add(folder)
    await ask('POST', 'leaves/activate')
    await writeGuest('leaves', 'process', 'setup() {},', '', folder)
    const added = ['run outside of the sandbox, with all of the site’s privileges']
    deepEqual(await permissionsOf('leaves'), { permissions: null, added })
    equal((await ask('POST', 'leaves/reload')).status, 409)
    equal((await ask('POST', 'leaves/reload', { permissions: added })).status, 200)
    deepEqual(await permissionsOf('leaves'), { permissions: null, added: [] })
  })

  describe('to one that runs with and without a sandbox', () => {
    const page = async () => (await host.get('/hello-world/')).text()
    const report = async () => (await ask('GET', 'either/sandbox')).status
    const choose = (sandbox: boolean) => ask('POST', 'either/isolation', { sandbox })

    it('starts without one, and runs the same code in one', async () => {
      await add(await writeGuest('either', 'optional', CONTENT + FILTER))
      equal((await ask('POST', 'either/activate')).status, 200)
      match(await page(), /<p>filtered<\/p>/)
      equal(await report(), 404)
      deepEqual(await choose(true), { status: 200, data: { sandbox: true } })
      match(await page(), /<p>filtered<\/p>/)
      equal(await report(), 200)
      const { data } = await ask('GET', '')
      match(JSON.stringify(data), /"id":"either"[^}]*"isolation":"optional","isSandboxed":true/)
      await host.host.extensions.reload('either')
      equal(await report(), 200)
    })

    it('can leave it again', async () => {
      deepEqual(await choose(false), { status: 200, data: { sandbox: false } })
      equal(await report(), 404)
      match(await page(), /<p>filtered<\/p>/)
    })

    it('stays where it is if it does not work in a sandbox', async () => {
      const rest =
        "permissions: {}, setup({ database }) { if (database === undefined) throw new Error('No database.') },"
      await add(await writeGuest('fails', 'optional', rest))
      equal((await ask('POST', 'fails/activate')).status, 200)
      equal((await ask('POST', 'fails/isolation', { sandbox: true })).status, 409)
      equal((await ask('GET', 'fails/sandbox')).status, 404)
      equal(stateOf('fails'), 'active')
      await host.host.extensions.reload('fails')
    })

    it('is not offered by others', async () => {
      equal((await ask('POST', 'asker/isolation', { sandbox: false })).status, 409)
    })
  })

  it('is for what it does, which the report shows', async () => {
    const rest = `permissions: { hooks: ['the_content', 'save_post'], fetch: { hosts: ['reached.invalid'] } }, setup({ hooks, fetch }) {
      hooks.addFilter('the_content', async (html) => {
        for (const host of ['reached', 'reached', 'refused']) await fetch('https://' + host + '.invalid/').catch(() => {})
        return html
      })
      hooks.addFilter('the_content', () => { for (;;) {} }, 20) },`
    await add(await writeGuest('reporter', 'sandbox', rest))
    await ask('POST', 'reporter/activate')
    equal((await host.get('/hello-world/')).status, 200)
    const text = JSON.stringify((await ask('GET', 'reporter/sandbox')).data)
    match(text, /"host":"reached\.invalid","requests":2,"lastRequest":"2/)
    match(text, /fetch: GET refused\.invalid is not allowed/)
    match(text, /"text":"Use the hook save_post","lastUse":null/)
    match(text, /"reason":"cpu"[^}]*reporter\/index\.js:\d+:/)
    doesNotMatch(text, /"host":"refused/)
  })
})
