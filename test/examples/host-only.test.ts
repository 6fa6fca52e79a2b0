import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { startGuestbook } from '../../examples/host-only/index.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

describe('the host without the CMS', () => {
  let host: Awaited<ReturnType<typeof startGuestbook>>
  let session: Record<string, string>

  before(async () => {
    process.env.PENTAD_LOG_LEVEL = 'silent'
    host = await startGuestbook(temporaryFolder(), await freePort())
    delete process.env.PENTAD_LOG_LEVEL
    const editor = await host.auth.users.getByLogin('editor')
    if (!editor) throw new Error('There is no editor.')
    const signedIn = await host.auth.startSession(editor, { address: '127.0.0.1', userAgent: 'test' })
    session = {
      Cookie: host.auth.sessionCookie(signedIn).split(';')[0] ?? '',
      'X-WP-Nonce': host.auth.createNonce('wp_rest', signedIn),
    }
  })
  after(() => host.close())

  async function ask(path: string, body?: unknown, headers: Record<string, string> = session) {
    const answer = await fetch(`${host.config.url}/wp-json${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
    return { status: answer.status, body: await answer.json() }
  }

  it('answers the routes of an extension, whose values pass its hook', async () => {
    expect(await ask('/guestbook/v1/entries')).to.deep.equal({ status: 200, body: [] })
    const written = await ask('/guestbook/v1/entries', { name: 'Ada', text: '  Hello.  ' })
    expect(written).to.deep.equal({ status: 200, body: [{ name: 'Ada', text: 'Hello.' }] })
  })

  it('checks permissions and input', async () => {
    const entry = { name: 'Eve', text: 'Hi' }
    expect((await ask('/guestbook/v1/entries', entry, {})).status).to.equal(401)
    const refused = await ask('/guestbook/v1/entries', { name: 'Eve' })
    expect(refused).to.deep.include({ status: 400 })
    expect(refused).to.have.deep.nested.property('body.data.params', ['text'])
  })

  it('keeps settings of the extension', async () => {
    await host.settings.get('guestbook')?.update({ longest: 1 })
    await ask('/guestbook/v1/entries', { name: 'Bob', text: 'Second' })
    expect((await ask('/guestbook/v1/entries')).body).to.deep.equal([{ name: 'Bob', text: 'Second' }])
  })

  it('has no content, no pages and no admin', async () => {
    expect(await ask('/')).to.have.deep.nested.property('body.namespaces', ['guestbook/v1'])
    expect(await ask('/wp/v2/posts')).to.have.nested.property('body.code', 'rest_no_route')
    for (const path of ['/', '/wp-admin/', '/feed/'])
      expect((await fetch(host.config.url + path)).status, path).to.equal(404)
  })

  it('loads nothing of the CMS, the services and their dependencies', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
      const { startGuestbook } = await import('./examples/host-only/index.ts')
      const host = await startGuestbook(${JSON.stringify(temporaryFolder())}, 0)
      const answer = await fetch(host.config.url + '/wp-json/guestbook/v1/entries')
      await host.close()
      console.log(JSON.stringify({ status: answer.status, loaded }))
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: root,
      env: { ...process.env, PENTAD_LOG_LEVEL: 'silent' },
    })
    const { status, loaded }: { status: number; loaded: string[] } = JSON.parse(stdout)
    const files = loaded
      .filter((url) => url.startsWith('file:'))
      .map((url) => url.slice(url.indexOf(root) + root.length))
    expect(status).to.equal(200)
    expect(files).to.include('/core/host.ts')
    const foreign =
      /^\/(?:cms|app|plugins|cli|admin)\/|^\/node_modules\/(?:sharp|react|vite|@ai-sdk|ai|esbuild|lightningcss|light-my-request|nodemailer|pg|undici)\//
    expect(files.filter((file) => foreign.test(file))).to.deep.equal([])
  })
})
