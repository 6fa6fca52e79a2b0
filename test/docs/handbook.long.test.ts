import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { mock } from 'node:test'
import { promisify } from 'node:util'
import { createTestHost, type Site, type TestHost } from 'pentad/testing'
import { createSite } from '../../app/create-site.ts'
import { openSession } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The code blocks of the handbook in a language, in order. */
async function blocks(language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/guides/extension-handbook.md'), 'utf8')
  const found = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))
  return [...found].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** Each recipe of the handbook does what the handbook says; that they compile is a test of all examples. */
describe('The recipes of the extension handbook', () => {
  let parent: string
  let host: TestHost | undefined
  let codes: readonly string[]
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'pentad-handbook-'))
    codes = await blocks('ts')
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
  })
  after(() => rm(parent, { recursive: true, force: true }))

  const codeWith = (text: string) => {
    const found = codes.filter((code) => code.includes(text))
    equal(found.length, 1, `one block of the handbook contains ${text}`)
    return found[0] ?? ''
  }

  /** Writes the extension of a recipe with its other files. @returns its folder */
  async function write(id: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const folder = join(parent, id)
    for (const [name, text] of Object.entries({ 'index.ts': codeWith(`id: '${id}'`), ...files })) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    return folder
  }

  async function start(id: string, files?: Readonly<Record<string, string>>): Promise<TestHost> {
    host = await createTestHost({ extensions: [await write(id, files)] })
    return host
  }

  /** A site that writes its log into `lines`. */
  async function startLogged(id: string): Promise<{ readonly site: Site; readonly lines: string[] }> {
    const lines: string[] = []
    const logTo = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })
    const site = await createSite({ siteDir: temporaryFolder(), logLevel: 'debug' }, { logTo })
    await site.extensions.activate(await site.loader.add(await write(id)))
    return { site, lines }
  }

  const page = async (site: TestHost, path = '/hello-world/') => (await site.get(path)).text()
  const json = async (response: Response) => JSON.parse(await response.text())

  it('store data in tables', async () => {
    const site = await start('votes')
    const vote = (score: number) =>
      site.request('/wp-json/votes/v1/posts/1', { method: 'POST', body: { score }, as: 'editor' })
    equal((await vote(9)).status, 400)
    await vote(5)
    equal((await json(await vote(4))).data.count, 2)
  })

  it('run something regularly', async () => {
    const { site, lines } = await startLogged('daily-count')
    try {
      await site.jobs.runDue()
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3_600_000 })
      await site.jobs.runDue()
      await until(() => lines.some((line) => /"total":1,.*"posts counted"/.test(line)))
    } finally {
      mock.timers.reset()
      await site.close()
    }
  })

  it('add styles, scripts, and images', async () => {
    const site = await start('lightbox', {
      'assets/lightbox.css': 'a {}',
      'assets/lightbox.js': '',
      'assets/icons/zoom.svg': '<svg/>',
    })
    const [style = ''] = /\/wp-content\/plugins\/lightbox\/assets\/lightbox\.css\?ver=\w+/.exec(await page(site)) ?? []
    equal(await (await site.get(style)).text(), 'a {}')
    match(await page(site), /<script defer src="[^"]+lightbox\.js[^<]+<\/script>[\s\S]*icons\/zoom\.svg/)
  })

  it('translate an extension', async () => {
    const [german = ''] = await blocks('po')
    const site = await start('applause', { 'languages/applause-de.po': german })
    await site.request('/wp-json/wp/v2/settings', { method: 'POST', body: { language: 'de_DE' }, as: 'administrator' })
    match(await page(site), /<button class="applause">Klatschen<\/button>/)
    deepEqual(await json(await site.get('/wp-json/applause/v1/summary', { as: 'editor' })), {
      ...{ title: 'Applaus', counted: '1 Beitrag' },
    })
  })

  it('show something only to some users', async () => {
    const site = await start('editor-notes')
    const { auth } = site.host
    const user = await auth.users.create({
      login: 'ada',
      email: 'ada@example.org',
      displayName: 'Ada',
      roles: ['editor'],
    })
    const editor = await openSession(auth, user)
    await site.host.content.meta.set('post', 1, 'editor_note', 'Check <this>')
    const ofEditor = async (path: string) => (await site.request(path, { headers: { ...editor } })).text()
    match(await ofEditor('/hello-world/'), /<p class="editor-note">Check &lt;this&gt;<\/p>/)
    ok(!(await page(site)).includes('editor-note'))
    await site.host.content.posts.insert({ type: 'page', title: 'Members', slug: 'members', status: 'publish' })
    match(await ofEditor('/members/'), /<p class="welcome">Welcome, Ada<\/p>/)
    ok(!(await page(site, '/members/')).includes('Welcome,'))
    equal((await site.get('/wp-json/editor-notes/v1/mine')).status, 401)
    deepEqual(await json(await site.get('/wp-json/editor-notes/v1/mine', { as: 'editor' })), { drafts: 0 })
  })

  it('keep it secure', async () => {
    const site = await start('archive-link')
    const { nonce } = (await json(await site.get('/wp-json/archive-link/v1/posts/1/form', { as: 'editor' }))).data
    const archive = (given: string) =>
      site.request('/wp-json/archive-link/v1/posts/1/archive', { method: 'POST', body: { nonce: given }, as: 'editor' })
    equal((await archive('wrong')).status, 403)
    equal((await archive(nonce)).status, 200)
    equal((await site.get('/hello-world/')).status, 404)
  })

  it('debug it', async () => {
    const { site, lines } = await startLogged('save-log')
    try {
      await site.content.posts.insert({ title: 'One', slug: 'one', status: 'publish' })
      await until(() => lines.some((line) => /"extension":"save-log".*"status":"publish".*"post saved"/.test(line)))
    } finally {
      await site.close()
    }
  })

  it('find out why it is slow', async () => {
    const slow = `import { defineExtension } from 'pentad'
      function count(html: string) { let all = 0; for (let at = 0; at < 3_000_000; at++) all += at % 7; return html + all }
      export default defineExtension({ id: 'slow', name: 'Slow', version: '1.0.0', setup({ hooks }) { hooks.addFilter('the_content', count) } })`
    const folder = await write('applause', {
      'index.ts': slow,
      'package.json': '{ "type": "module" }',
      'profile.ts': codeWith("post('Profiler.start')"),
    })
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await symlink(ROOT, join(folder, 'node_modules/pentad'))
    const { stdout } = await run(process.execPath, ['profile.ts'], { cwd: folder })
    match(stdout, /'count' +│ +\d{2}/)
    ok(JSON.parse(await readFile(join(folder, 'slow.cpuprofile'), 'utf8')).samples.length > 0)
  })

  it('publish it', async () => {
    const manifest = {
      ...{ name: 'daily-count', version: '1.0.0', type: 'module', keywords: ['pentad-extension'] },
      scripts: { pack: `node ${join(ROOT, 'cli/index.ts')} extension pack` },
    }
    const source = codeWith("id: 'daily-count'").replace('setup(', "requires: { pentad: '*' },\n  setup(")
    const folder = await write('daily-count', {
      ...{ 'index.ts': source, 'package.json': JSON.stringify(manifest) },
      'package.test.ts': codeWith('when it is installed from its package'),
    })
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await symlink(ROOT, join(folder, 'node_modules/pentad'))
    const { stdout } = await run(process.execPath, ['--test'], { cwd: folder })
    match(stdout, /✔ works when it is installed from its package/)
  })
})
