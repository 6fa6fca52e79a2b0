import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { createTestHost, type TestHost } from 'pentad/testing'
import { pack } from 'tar-stream'
import { temporaryFolder } from '../support/site-folder.ts'

type Files = Readonly<Record<string, string | { readonly type: 'symlink' | 'link'; readonly linkname: string }>>

/** What an attacker packs: an extension for the sandbox that tries to get more than the sandbox at installation, or from the host's own code. */
describe('a hostile package', () => {
  let host: TestHost
  beforeEach(async () => {
    host = await createTestHost()
  })
  afterEach(() => host.close())

  const source = (rest: string, head = "id: 'evil', name: 'Evil', version: '1.0.0', isolation: 'sandbox',") =>
    `import { defineExtension } from 'pentad'\nimport { z } from 'zod'\nexport default defineExtension({ ${head} ${rest} })\n`

  async function tarOf(files: Files, isCompressed = true): Promise<string> {
    const archive = pack()
    for (const [name, content] of Object.entries(files)) {
      if (typeof content === 'string') archive.entry({ name: `package/${name}` }, content)
      else archive.entry({ name: `package/${name}`, ...content })
    }
    archive.finalize()
    const path = join(temporaryFolder(), 'evil.tgz')
    const content = await buffer(archive)
    await writeFile(path, isCompressed ? gzipSync(content) : content)
    return path
  }

  /** @returns the message of the error, or `''` */
  async function install(files: Files, options: { activate?: boolean; permissions?: 'all' } = { activate: true }) {
    const error = await host.host.packages
      .install({ type: 'path', path: await tarOf(files) }, options)
      .then(() => undefined)
      .catch((thrown: unknown) => thrown)
    return error instanceof Error ? error.message : ''
  }
  const installed = () => readdir(join(host.host.config.siteDir, 'extensions')).catch(() => [])
  const state = () => host.host.extensions.list().find(({ id }) => id === 'evil')?.state
  const page = async () => (await host.get('/hello-world/')).text()

  it('cannot read files of the server through links in its assets or languages', async () => {
    for (const type of ['symlink', 'link'] as const) {
      for (const name of ['assets/passwd.css', 'languages/evil-de.po', 'lib']) {
        const files: Files = { 'index.js': source('setup() {}'), [name]: { type, linkname: '/etc/passwd' } }
        match(await install(files), /contains a link or device/)
      }
    }
    deepEqual(await installed(), [])
  })

  it('cannot take an entry file outside of its folder, which package.json names', async () => {
    const outside = join(host.host.config.siteDir, 'outside.js')
    await writeFile(outside, source('setup() {}', "id: 'evil', name: 'Evil', version: '1.0.0',"))
    for (const main of ['../../outside.js', outside, './../../outside.js']) {
      notEqual(await install({ 'package.json': JSON.stringify({ name: 'evil', version: '1.0.0', main }) }), '')
      equal(state(), undefined)
    }
  })

  it('cannot be a bomb: 200 MB of zeros in 200 KB, or ten thousand files', async () => {
    match(
      await install({ 'index.js': source('setup() {}'), 'zeros.txt': '\0'.repeat(200 * 1024 * 1024) }),
      /larger than 100 MB/,
    )
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`f/${at}.txt`, '']))
    match(await install({ 'index.js': source('setup() {}'), ...many }), /more than 5000 files/)
    deepEqual(await installed(), [])
  })

  it('cannot pass for a part of Pentad', async () => {
    for (const id of ['pentad-login', 'wp-admin', 'host', 'speed']) {
      const message = await install({
        'index.js': source('setup() {}', `id: '${id}', name: 'x', version: '1.0.0', isolation: 'sandbox',`),
      })
      match(message, /is reserved: a part of Pentad uses it|is the ID of an extension that is not in this site/)
    }
    deepEqual(await installed(), [])
  })

  it('changes no prototype with its manifest, settings, or translations', async () => {
    const files = {
      'index.js': source(
        `requires: { extensions: JSON.parse('{"__proto__": "*"}') }, permissions: { settings: true, ...JSON.parse('{"__proto__": { "storage": 8 }}') },
        setup({ settings, __ }) {
          settings.register(z.object(JSON.parse('{"__proto__": {}}')).extend({ ['constructor']: z.string().default('x') }))
          __('__proto__', 'evil')
        }`,
      ),
      'package.json':
        '{ "name": "evil", "version": "1.0.0", "__proto__": { "polluted": true }, "dependencies": { "__proto__": "1" } }',
      'languages/evil-en_US.po':
        'msgctxt "__proto__"\nmsgid "polluted"\nmsgstr "yes"\n\nmsgid "__proto__"\nmsgstr "yes"\n',
    }
    await install(files)
    equal(Reflect.get({}, 'polluted'), undefined)
    equal(Reflect.get({}, 'storage'), undefined)
    equal((await host.get('/')).status, 200)
  })

  it('cannot hold up the site with its translations', async () => {
    const texts = {
      large: `msgid ""\nmsgstr ""\n${'"x"\n'.repeat(1_000_000)}`,
      forms: `msgid "a"\n${'msgstr "b"\n'.repeat(90_000)}`,
      rule: `msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=${'('.repeat(100_000)}n${')'.repeat(100_000)};\\n"\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\n`,
      binary: '\0'.repeat(100_000),
    }
    for (const [name, text] of Object.entries(texts)) {
      await host.close()
      host = await createTestHost()
      const files = {
        'index.js': source(
          `permissions: { hooks: ['the_content'] }, setup({ hooks, _n }) { hooks.addFilter('the_content', (html) => html + '[' + _n('a', 'as', 2, 'evil') + ']') }`,
        ),
        'languages/evil-en_US.po': text,
      }
      equal(await install(files), '', name)
      match(await page(), /\[(?:as|b)\]/, name)
      equal(state(), 'active', name)
    }
  })

  it('serves no files, although it has assets', async () => {
    equal(await install({ 'index.js': source('setup() {}'), 'assets/a.js': 'alert(1)', 'secret.css': 'x' }), '')
    for (const path of [
      'a.js',
      '../secret.css',
      '%2e%2e/secret.css',
      '..%2fsecret.css',
      '....//secret.css',
      '%00',
      'a.js%00.css',
    ]) {
      const response = await host.get(`/wp-content/plugins/evil/assets/${path}`)
      ok(response.status === 404 || response.status === 400, `${path}: ${response.status}`)
    }
  })

  it('cannot leave the sandbox with an update, nor by its name, nor get more without consent', async () => {
    const sandboxed = 'permissions: { storage: 1 }, setup() {}'
    equal(await install({ 'index.js': source(sandboxed) }), '')
    const process =
      "globalThis.escaped = typeof process; export default { id: 'evil', name: 'Evil', version: '2.0.0', setup() { globalThis.escaped = typeof process } }"
    match(await install({ 'index.js': process }, {}), /now also wants|additional permissions/)
    const hidden =
      "const isolation = 'process'; export default { id: 'evil', name: 'Evil', version: '2.0.0', isolation, setup() { globalThis.escaped = typeof process } }"
    notEqual(await install({ 'index.js': hidden }, {}), '')
    match(await install({ 'index.js': source('permissions: { storage: 2 }, setup() {}') }, {}), /Store up to 2 MB/)
    equal(Reflect.get(globalThis, 'escaped'), undefined)
    equal(host.host.extensions.list().find(({ id }) => id === 'evil')?.version, '1.0.0')
  })

  it('cannot flood the site with purges, nor purge what is not its own', async () => {
    const files = {
      'index.js': source(
        `permissions: { routes: ['public'], hooks: ['purge_pages'] }, setup({ hooks, rest }) {
          rest.registerRoute('evil/v1', { method: 'GET', path: '/purge', access: 'public', handler: () => {
            const outcome = []
            for (const tags of [['site'], ['post-1 site'], ['post-0'], ['post-1e9'], ['evil2'], [], ['post-1', 'theme']])
              try { hooks.doAction('purge_pages', { tags }); outcome.push(tags) } catch {}
            try { hooks.doAction('purge_pages', { urls: ['/'], tags: ['evil'] }); outcome.push('urls') } catch {}
            try { hooks.doAction('updated_option', { tags: ['evil'] }); outcome.push('other') } catch {}
            let purged = 0
            try { for (;; purged++) hooks.doAction('purge_pages', { tags: ['evil-' + purged] }) } catch {}
            return { outcome, purged }
          } })
        }`,
      ),
    }
    equal(await install(files), '')
    const purges: unknown[] = []
    host.host.hooks.addAction('purge_pages', (request) => void purges.push(request))
    deepEqual(await (await host.get('/wp-json/evil/v1/purge')).json(), { outcome: [], purged: 60 })
    equal(purges.length, 60)
  })

  it('sends no headers that its requests and responses could be split with', async () => {
    const files = {
      'index.js': source(
        `permissions: { routes: ['public'] }, setup({ rest }) {
          const answer = (path, headers, status = 200) => rest.registerRoute('evil/v1', { method: 'GET', path, access: 'public',
            handler: () => { throw Object.assign(new Error('x'), { name: 'RestError' }, { code: 'x', data: { status }, headers }) } })
          answer('/a', { 'Location': 'x\\r\\nSet-Cookie: a=b' })
          answer('/b', { 'Set-Cookie': 'a=b', 'Content-Length': '1', 'Transfer-Encoding': 'chunked', 'X-WP-Nonce': '1' })
          answer('/c', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => ['ETag' + at, 'x'.repeat(1_000)])))
          answer('/d', {}, 101)
          answer('/e', {}, 'constructor')
        }`,
      ),
    }
    equal(await install(files), '')
    for (const path of ['a', 'b', 'c', 'd', 'e']) {
      const response = await host.get(`/wp-json/evil/v1/${path}`)
      ok(response.status >= 200, path)
      equal(response.headers.get('Set-Cookie'), null, path)
      equal(response.headers.get('Transfer-Encoding') === 'chunked' && path === 'b', false)
      equal(response.headers.get('X-WP-Nonce'), null, path)
      await response.text()
    }
    equal((await host.get('/')).status, 200)
  })

  it('cannot write to the terminal of an administrator, nor hide in the list, with its name', async () => {
    for (const name of ['Good\u202eeman', 'Good\u0085', 'Good\u001b[2J']) {
      const head = `id: 'evil', name: '${name}', version: '1.0.0', isolation: 'sandbox',`
      match(await install({ 'index.js': source('setup() {}', head) }), /contains control characters|before setup/)
    }
    deepEqual(await installed(), [])
  })

  it('cannot register settings whose schema holds up the site', async () => {
    const schemas = [
      "z.object({ a: z.string().regex(/^(?:(?:a|aa)+)+$/).default('') })",
      "z.object({ a: z.enum(Array.from({ length: 50_000 }, (_, at) => 'v' + at)).optional() })",
      "z.object(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => ['k' + at, z.string().default('')])))",
      'z.object({ a: Array.from({ length: 2_000 }).reduce((inner) => z.array(inner), z.string()).optional() })',
    ]
    for (const schema of schemas) {
      await host.close()
      host = await createTestHost()
      await install({
        'index.js': source(`permissions: { settings: true }, setup({ settings }) { settings.register(${schema}) }`),
      })
      const body = { settings: { a: `${'a'.repeat(50_000)}!` } }
      const sent = await host.request('/wp-json/host/v1/settings/evil', { method: 'PUT', body, as: 'administrator' })
      ok(sent.status < 500, schema)
      equal((await host.get('/')).status, 200)
    }
  })
})
