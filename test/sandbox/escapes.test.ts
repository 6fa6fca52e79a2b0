import { equal, match } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { writeGuest } from './guests.ts'

describe('a hostile extension in a sandbox', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost()
  })
  after(() => host.close())

  /** Activates the extension in the folder, or says why it cannot be. */
  async function activate(folder: string): Promise<string> {
    const { extensions } = host.host
    const id = await extensions.add(folder)
    return extensions.activate(id).then(
      ({ state }) => state,
      (error) => JSON.stringify(error.data),
    )
  }

  const reasonOfReload = (id: string) =>
    host.host.extensions.reload(id).then(
      () => 'reloaded',
      (error) => JSON.stringify(error.data),
    )

  const text = async (path: string, as = 'administrator') => (await host.get(path, { as })).text()

  describe('imports', () => {
    const secret = '/proc/self/environ'
    const imports: Readonly<Record<string, readonly [before: string, reason: RegExp]>> = {
      'a file of the server as text': [`import found from '${secret}' with { type: 'text' }`, /Import attributes/],
      'JSON of the server': ["import found from '../secret.json'", /only its own files and packages/],
      'what a link in its folder leads to': ["import found from './link.json'", /only its own files and packages/],
      'a pipe': ["import found from './pipe.json'", /not a regular file/],
    }
    for (const [what, [before, reason]] of Object.entries(imports)) {
      it(`not ${what}`, async () => {
        const folder = await writeGuest('reader', 'sandbox', 'permissions: {}, setup() { return found },', before)
        await writeFile(join(folder, '..', 'secret.json'), '{"key":"top secret"}')
        execFileSync('mkfifo', [join(folder, 'pipe.json')])
        await symlink('../secret.json', join(folder, 'link.json'))
        match(await activate(folder), reason)
      })
    }

    it('its own JSON and text', async () => {
      const before = "import data from './data.json' with { type: 'json' }\nimport note from './note.txt'"
      const rest = `permissions: { routes: ['public'] }, setup({ rest }) {
        rest.registerRoute('own-files/v1', { method: 'GET', path: '/x', access: 'public', handler: () => data.word + note }) },`
      const folder = await writeGuest('own-files', 'sandbox', rest, before)
      await writeFile(join(folder, 'data.json'), '{"word":"one "}')
      await writeFile(join(folder, 'note.txt'), 'two')
      equal(await activate(folder), 'active')
      equal(await text('/wp-json/own-files/v1/x'), '"one two"')
    })
  })

  it('does not take the names of the host', async () => {
    for (const id of ['host', 'sandbox', 'wp', 'seo']) {
      const folder = await writeGuest(id, 'sandbox', 'permissions: { storage: 1 }, setup() {},')
      match(await activate(folder), /is reserved/)
      await host.host.extensions.deactivate(id)
    }
    const rest = "permissions: { schedules: true }, setup({ jobs }) { jobs.schedule('planet', 'daily', () => {}) },"
    match(await activate(await writeGuest('plan', 'sandbox', rest)), /must start with plan-/)
  })

  it('does not leave the sandbox with an update', async () => {
    const folder = await writeGuest('leaver', 'sandbox', 'permissions: {}, setup() {},')
    equal(await activate(folder), 'active')
    await writeGuest('leaver', 'process', 'setup() { globalThis.hasLeft = true },', '', folder)
    match(await reasonOfReload('leaver'), /run outside of the sandbox/)
    equal(Reflect.get(globalThis, 'hasLeft'), undefined)
    await host.host.extensions.deactivate('leaver')
    equal((await host.host.extensions.activate('leaver')).state, 'active')
    equal(Reflect.deleteProperty(globalThis, 'hasLeft'), true)
    equal(await reasonOfReload('leaver'), 'reloaded')
    Reflect.deleteProperty(globalThis, 'hasLeft')
  })

  it('does not run outside of it because its isolation cannot be read', async () => {
    const definition = "id: 'unread', name: 'Unread', version: '1.0.0', setup() {}"
    const folder = await writeGuest('unread', 'sandbox', 'setup() {},')
    const shorthand = `const isolation = 'sandbox'; export default { ${definition}, isolation }`
    const spread = `const more = { isolation: 'sandbox' }; export default { ...more, ${definition} }`
    const elsewhere = `import more from './more.js'; export default { ${definition}, ...more }`
    await writeFile(join(folder, 'more.js'), "export default { isolation: 'sandbox' }")
    for (const code of [shorthand, spread, elsewhere]) {
      await writeFile(join(folder, 'index.js'), code)
      match(await activate(folder), /Write isolation/)
    }
  })

  it('sends neither scripts nor cookies with its errors', async () => {
    const rest = `permissions: { routes: ['public'] }, setup({ rest }) {
      rest.registerRoute('thrower/v1', { method: 'GET', path: '/x', access: 'public', handler: () => {
        throw new RestError('x', '<script>alert(1)</script>', { status: 400 },
          { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b', 'Clear-Site-Data': '"*"', 'Retry-After': '5' }) } }) },`
    equal(await activate(await writeGuest('thrower', 'sandbox', rest)), 'active')
    const { status, headers } = await host.get('/wp-json/thrower/v1/x')
    equal(status, 400)
    match(headers.get('Content-Type') ?? '', /^application\/json/)
    equal(headers.get('Set-Cookie') ?? headers.get('Clear-Site-Data'), null)
    equal(headers.get('Retry-After'), '5')
  })

  it('responds to pages without scripts and service workers', async () => {
    const rest = `permissions: { hooks: ['template_redirect'] }, setup({ hooks }) {
      const pages = {
        '/guest-html/': { body: '<b>bold</b><script>alert(1)</script>', headers: { 'Set-Cookie': 'a=b', Link: '</x.css>; rel=stylesheet' } },
        '/guest-sw.js': { body: 'alert(1)', headers: { 'Content-Type': 'text/javascript', 'Service-Worker-Allowed': '/' } },
        '/guest.xml': { body: '<x/>', headers: { 'Content-Type': 'application/xml' } },
        '/guest-keys/': { body: { '<script>alert(1)</script>': 1 } },
      }
      hooks.addAction('template_redirect', (page) => { if (pages[page.path]) page.respond(pages[page.path]) }) },`
    equal(await activate(await writeGuest('responder', 'sandbox', rest)), 'active')
    const html = await host.get('/guest-html/')
    equal(await html.text(), '<b>bold</b>')
    equal(html.headers.get('Set-Cookie') ?? html.headers.get('Link'), null)
    const script = await host.get('/guest-sw.js')
    match(script.headers.get('Content-Type') ?? '', /^text\/html/)
    equal(script.headers.get('Service-Worker-Allowed'), null)
    const xml = await host.get('/guest.xml')
    match(xml.headers.get('Content-Type') ?? '', /^application\/xml/)
    match(xml.headers.get('Content-Security-Policy') ?? '', /sandbox/)
    equal((await (await host.get('/guest-keys/')).text()).includes('alert(1)'), false)
  })

  it('does not choose the hosts that an administrator enters', async () => {
    const rest = `permissions: { routes: ['public'], settings: true, fetch: { hostsFromSettings: ['url'] } }, setup({ rest, settings, fetch }) {
      const chosen = settings.register(z.object({ url: z.string().default('https://default.invalid/'), note: z.string().default('') }))
      const tried = (work) => work.then(() => 'done', (error) => error.message)
      const get = (path, handler) => rest.registerRoute('chooser/v1', { method: 'GET', path, access: 'public', handler })
      get('/fetch', () => tried(fetch(chosen.get().url)))
      get('/update', () => tried(chosen.update({ url: 'https://evil.invalid/' })))
      get('/note', () => tried(chosen.update({ note: 'x' }))) },`
    equal(await activate(await writeGuest('chooser', 'sandbox', rest)), 'active')
    equal(await text('/wp-json/chooser/v1/note'), '"done"')
    match(await text('/wp-json/chooser/v1/fetch'), /default\.invalid is not allowed/)
    match(await text('/wp-json/chooser/v1/update'), /Only an administrator/)
    const body = { settings: { url: 'https://entered.invalid/' } }
    equal(
      (await host.request('/wp-json/host/v1/settings/chooser', { method: 'PUT', body, as: 'administrator' })).status,
      200,
    )
    match(await text('/wp-json/chooser/v1/fetch'), /could not be reached/)
  })

  it('does not take the consent of another', async () => {
    const victim = 'permissions: { storage: 1 }, setup() {},'
    equal(await activate(await writeGuest('victim', 'sandbox', victim)), 'active')
    const decoy =
      "const decoy = () => defineExtension({ id: 'thief', name: 'Thief', version: '1.0.0', isolation: 'sandbox' })"
    const folder = await writeGuest('victim', 'sandbox', 'permissions: {}, setup() {},', decoy)
    match(await activate(folder), /Its ID is \\"victim\\", but \\"thief\\" was expected/)
    equal(await reasonOfReload('victim'), 'reloaded')
  })

  it('runs with no permission that an activation did not confirm', async () => {
    for (const id of ['sure', 'unsure']) {
      equal(await activate(await writeGuest(id, 'sandbox', 'permissions: { storage: 1 }, setup() {},')), 'active')
    }
    for (const lost of [{}, { unsure: 'all' }]) {
      await host.host.options.modify('sandbox_consents', (current) => ({ ...Object(current), unsure: null, ...lost }))
      match(await reasonOfReload('unsure'), /No administrator has allowed it to: run in a sandbox; Store up to 1 MB/)
    }
    equal(await reasonOfReload('sure'), 'reloaded')
    await host.host.extensions.deactivate('unsure')
    equal((await host.host.extensions.activate('unsure')).state, 'active')
    equal(await reasonOfReload('unsure'), 'reloaded')
  })

  it('changes nothing in an ability', async () => {
    const rest = `permissions: { abilities: true, storage: 1, fetch: { hosts: ['example.org'], methods: ['POST'] } }, setup({ abilities, options, fetch }) {
      const tried = (work) => work.then(() => 'done', (error) => error.message)
      abilities.register({ name: 'changer/run', label: 'Run', description: 'Runs.', category: 'site', permission: 'read', readonly: true,
        output: z.object({ stored: z.string(), sent: z.string() }),
        execute: async () => ({ stored: await tried(options.update('changer_x', 1)),
          sent: await tried(fetch('https://example.org/', { method: 'POST' })) }) }) },`
    equal(await activate(await writeGuest('changer', 'sandbox', rest)), 'active')
    const result = await text('/wp-json/wp-abilities/v1/abilities/changer/run/run')
    match(result, /options\.update is not available in an ability.*fetch with POST is not available in an ability/)
    equal(host.host.options.get('changer_x'), undefined)
  })

  it('does not ask for all hosts', async () => {
    for (const pattern of ['*.', '*.com', '*', 'Example.org', 'a.example/path']) {
      const rest = `permissions: { fetch: { hosts: ['${pattern}'] } }, setup() {},`
      match(await activate(await writeGuest('wide', 'sandbox', rest)), /manifest is invalid/)
    }
  })

  it('asks again to send more requests', async () => {
    const rest = (perMinute: number) =>
      `permissions: { fetch: { hosts: ['example.org'], perMinute: ${perMinute} } }, setup() {},`
    const folder = await writeGuest('more', 'sandbox', rest(5))
    equal(await activate(folder), 'active')
    await writeGuest('more', 'sandbox', rest(500), '', folder)
    match(await reasonOfReload('more'), /up to 500 GET requests a minute to example\.org/)
  })
})
