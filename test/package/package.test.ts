import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { z } from 'zod'
import { type Finished, IS_PACKAGE_BUILT, pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist')
const EXPORT = join(ROOT, 'test/fixtures/wordpress-export.xml')
/** Megabytes of the tarball: a third is the admin, and a quarter are source maps. */
const LARGEST_TARBALL = 10.5
/** Packages that an installation has, without those for other platforms. */
const MOST_PACKAGES = 95
/** Megabytes of an installation, with those for this platform and without Node. */
const LARGEST_INSTALLATION = 230

const run = promisify(execFile)
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
const error = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  data: z.unknown(),
})
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.record(z.string(), z.string()).default({}),
      optionalDependencies: z.record(z.string(), z.string()).default({}),
      optional: z.boolean().default(false),
    }),
  ),
})

describe('the npm package', () => {
  const project = join(temporaryFolder(), 'my-site')
  const siteDir = join(project, 'site')
  const modules = join(project, 'node_modules')
  const command = join(modules, 'pentad/cli/index.js')
  const packed = { pentad: '', 'create-pentad': '', 'create-pentad-extension': '' }
  let site: RunningSite
  let installed: string
  /** An application password of the administrator. */
  let password: string

  const npmPack = async (name: keyof typeof packed) => {
    const folder = temporaryFolder()
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(DIST, name) })
    packed[name] = join(folder, stdout.trim())
    const target = name === 'pentad' ? join(modules, name) : join(folder, name)
    mkdirSync(target, { recursive: true })
    await run('tar', ['-xzf', packed[name], '--strip-components=1', '-C', target])
    return target
  }
  const inPackage = (...args: Parameters<typeof pentad>): Promise<Finished> =>
    pentad(args[0], args[1], args[2], { command })

  const compileCache = process.env.NODE_COMPILE_CACHE
  before(async () => {
    // Of the tests; a site has its own.
    delete process.env.NODE_COMPILE_CACHE
    if (!IS_PACKAGE_BUILT) await run(process.execPath, [join(ROOT, 'build/package.ts')], { cwd: ROOT })
    const create = await npmPack('create-pentad')
    await run(process.execPath, [join(create, 'index.js'), project])
    installed = await npmPack('pentad')
    // What npm would install beside it. Nothing else of the repository is in reach.
    const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')))
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
    }
    site = await startPentad(siteDir, [], { command })
  })
  after(async () => {
    process.env.NODE_COMPILE_CACHE = compileCache
    await site?.end()
  })

  const read = async (path: string) => (await fetch(`${site.url}${path}`)).text()

  it('is small, and needs few packages', () => {
    const { packages } = lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
    const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')))
    const needed = new Set<string>()
    const add = (name: string) => {
      const path = `node_modules/${name}`
      const one = packages[path]
      // npm has installed the optional ones that are for this platform.
      if (needed.has(path) || !one || (one.optional && !existsSync(join(ROOT, path)))) return
      needed.add(path)
      for (const next of Object.keys({ ...one.dependencies, ...one.optionalDependencies })) add(next)
    }
    for (const name of Object.keys(dependencies)) add(name)
    const everywhere = [...needed].filter((path) => !packages[path]?.optional)
    expect(everywhere.length).to.be.within(Object.keys(dependencies).length, MOST_PACKAGES)
    const size = [installed, ...[...needed].map((path) => join(ROOT, path))].reduce(
      (sum, path) => sum + bytesIn(path),
      0,
    )
    expect(size / 1e6).to.be.within(30, LARGEST_INSTALLATION)
    expect(readFileSync(packed.pentad).length / 1024 ** 2).to.be.within(1, LARGEST_TARBALL)
  })

  it('has neither tests nor benchmarks nor TypeScript but declarations', () => {
    const files = globSync('**/*.{ts,tsx}', { cwd: installed })
    expect(files).not.to.have.length(0)
    expect(files.filter((file) => !file.endsWith('.d.ts'))).to.deep.equal([])
    expect(globSync('{test,bench,node_modules}', { cwd: installed })).to.deep.equal([])
  })

  it('has no code with characters for which V8 would store two bytes of each character of the file', () => {
    const files = globSync('**/*.js', { cwd: installed, exclude: ['admin', '**/*.browser.js'] })
    expect(files).to.include.members(['core/host.js', 'plugins/seo/index.js'])
    expect(files.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(installed, file), 'utf8')))).to.deep.equal([])
  })

  it('contains the built admin', () => {
    const list: Record<string, { file: string }> = JSON.parse(
      readFileSync(join(installed, 'admin/dist/.vite/manifest.json'), 'utf8'),
    )
    const files = Object.values(list).map(({ file }) => file)
    expect(files).not.to.have.length(0)
    expect(files.filter((file) => !existsSync(join(installed, 'admin/dist', file)))).to.deep.equal([])
  })

  it('contains what its README links to', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?![a-z]+:)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links).to.include('docs/guides/deployment.md').and.include('docs/images/dashboard.png')
    expect(links.filter((path) => !existsSync(join(installed, path)))).to.deep.equal([])
  })

  it('exports from each bundled package what that exports', async () => {
    const vendor = join(installed, 'vendor')
    const specifiers = globSync('**/*.js', { cwd: vendor, exclude: ['chunks'] }).map((file) =>
      file.replace(/\.js$/, ''),
    )
    expect(specifiers).to.include.members(['kysely', 'kysely/migration', 'zod'])
    const code = `
      const [base, ...specifiers] = process.argv.slice(1)
      const names = async (specifier) => Object.keys(await import(specifier)).filter((name) => name !== 'module.exports').sort()
      const different = []
      for (const one of specifiers) {
        const [original, bundled] = [await names(one), await names(base + one + '.js')]
        if (original.join() !== bundled.join()) different.push(one)
      }
      console.log(JSON.stringify(different))`
    const args = ['--input-type=module', '-e', code, `${vendor}/`, ...specifiers]
    const { stdout } = await run(process.execPath, args, { cwd: ROOT })
    expect(JSON.parse(stdout)).to.deep.equal([])
  })

  it('starts the host without undici and with a single instance of zod', async () => {
    cpSync(join(ROOT, 'examples/host-only'), join(project, 'host-only'), { recursive: true })
    const code = `
      import { registerHooks } from 'node:module'
      import { Readable } from 'node:stream'
      import { text } from 'node:stream/consumers'
      const loaded = []
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
      const { startGuestbook } = await import('./host-only/index.ts')
      const host = await startGuestbook('guestbook', 0)
      const { get } = process.getBuiltinModule('node:http')
      const status = await new Promise((resolve, reject) =>
        get(host.config.url + '/wp-json/guestbook/v1/entries', (answer) => resolve(answer.resume().statusCode)).on('error', reject))
      const { default: Koa } = await import(process.argv[1])
      const streams = new Koa().use((context) => { context.body = Readable.from(['streamed']) }).listen(0, '127.0.0.1')
      await new Promise((resolve) => streams.on('listening', resolve))
      const streamed = await new Promise((resolve, reject) =>
        get({ host: '127.0.0.1', port: streams.address().port }, (answer) => resolve(text(answer))).on('error', reject))
      streams.close()
      const internal = process.moduleLoadList.filter((name) => name.includes('undici'))
      await host.close()
      console.log(JSON.stringify({ status, streamed, internal, zod: loaded.filter((url) => /zod/.test(url)) }))`
    const options = { cwd: project, env: { ...process.env, PENTAD_LOG_LEVEL: 'silent' } }
    const koa = pathToFileURL(join(installed, 'vendor/koa.js')).href
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code, koa], options)
    const vendored = pathToFileURL(join(installed, 'vendor/zod.js')).href
    expect(JSON.parse(stdout)).to.deep.equal({ status: 200, streamed: 'streamed', internal: [], zod: [vendored] })
  })

  it('has a zod whose schemas share the names of their classes, and whose classes share methods', async () => {
    const code = `
      const { z } = await import(process.argv[1])
      const [one, other, number] = [z.string(), z.string().min(2).optional().unwrap(), z.number()]
      const getterOf = (schema) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(schema), 'nullable').get
      const { parse } = other
      console.log(JSON.stringify({
        sets: one._zod.traits === other._zod.traits && one._zod.traits !== number._zod.traits,
        methods: getterOf(one) === getterOf(number) && one.nullable !== number.nullable,
        classes: [one instanceof z.ZodString, one instanceof z.ZodType, one instanceof z.ZodNumber],
        parsed: [parse('long'), z.safeParse(other, 'l').success, number.nullable().parse(null), one.nullable().safeParse(1).success],
      }))`
    const vendored = pathToFileURL(join(installed, 'vendor/zod.js')).href
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code, vendored])
    expect(JSON.parse(stdout)).to.deep.equal({
      ...{ sets: true, methods: true, classes: [true, true, false], parsed: ['long', false, null, false] },
    })
  })

  it('makes a site with all services and serves it', async () => {
    expect(site.output()).to.match(/password {3}\S+/)
    const page = await read('/')
    expect(page).to.contain('Hello world!').and.to.contain('application/ld+json')
    expect((await fetch(`${site.url}/wp-admin/`, { redirect: 'manual' })).status).to.equal(302)
    const { output } = await inPackage(siteDir, ['extension', 'list'])
    for (const id of ['ai', 'backup', 'pwa', 'seo', 'speed']) {
      expect(output).to.match(new RegExp(`^active +${id} `, 'm'))
    }
    expect(site.output()).not.to.contain('"level":50')
  })

  it('activates the extension of the new site, which gets the host’s instance of zod', async () => {
    const { errors, code } = await inPackage(siteDir, ['extension', 'activate', 'hello'])
    expect(errors).to.equal('')
    expect(code).to.equal(0)
    expect(await read('/hello-world/')).to.contain('<p class="hello">Hello!</p>')
    const builds = globSync('cache/extensions/*.bundle', { cwd: siteDir }).map((file) =>
      readFileSync(join(siteDir, file), 'utf8'),
    )
    const own = builds.find((text) => text.includes('class=\\"hello\\"'))
    expect(own).to.contain('node_modules/pentad/vendor/zod.js')
  })

  it('creates an extension whose test needs only Node', async () => {
    const { output } = await inPackage(siteDir, ['extension', 'new', 'good-night'])
    expect(output).to.match(/^Test it +node --test \S*good-night\/\*\.test\.ts$/m)
    const test = join(siteDir, 'extensions/good-night/index.test.ts')
    const { stdout } = await run(process.execPath, ['--test', test], { cwd: project })
    expect(stdout).to.match(/pass 3\n/)
  })

  it('imports a WordPress export', async () => {
    const { output, code } = await inPackage(siteDir, ['import', EXPORT])
    expect(code, output).to.equal(0)
    const found = await fetch(`${site.url}/wp-json/wp/v2/posts?per_page=1`)
    expect(Number(found.headers.get('x-wp-total'))).to.be.greaterThan(1)
  })

  it('creates a backup, whose segments are made in threads', async () => {
    const { output, errors, code } = await inPackage(siteDir, ['backup', 'create'])
    expect(errors + output).to.match(/backup/i)
    expect(code).to.equal(0)
  })

  const callApi = async (method: string, path: string, body: object = {}) => {
    const response = await fetch(`${site.url}/wp-json/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { Authorization: `Basic ${btoa(`admin:${password}`)}`, 'Content-Type': 'application/json' },
    })
    return error.parse(await response.json())
  }

  it('connects to storage locations without additional packages', async () => {
    const { output } = await inPackage(siteDir, ['user', 'app-password', 'admin', 'test'])
    password = /(?:\w{4} ){5}\w{4}/.exec(output)?.[0] ?? ''
    const settings = {
      ...{ s3Endpoint: 'http://127.0.0.1:1', s3Bucket: 'test', s3AccessKey: 'test', s3SecretKey: 'test' },
      ...{ webdavUrl: 'http://127.0.0.1:1/' },
      ...{ sftpHost: '127.0.0.1', sftpPort: 1, sftpUser: 'test', sftpPassword: 'test' },
    }
    await callApi('PUT', 'backup/v1/settings', { settings })
    for (const [location, title] of Object.entries({ s3: 'S3', webdav: 'WebDAV', sftp: 'SFTP' })) {
      expect(await callApi('POST', 'backup/v1/backup/test', { location })).to.deep.include({
        code: 'backup_location_failed',
        message: `${title}: The server refused the connection. Check the address and whether the server is running.`,
      })
    }
    // Its test would ask Google.
    const { auth } = await import(pathToFileURL(join(installed, 'vendor/@googleapis/drive.js')).href)
    expect(new auth.OAuth2({ clientId: 'test' }).generateAuthUrl()).to.contain('client_id=test')
  })

  it('names the command that installs an optional package, and uses the package after a restart', async () => {
    await callApi('PUT', 'ai/v1/settings', {
      settings: { openaiApiKey: 'sk-test', compatibleBaseUrl: 'http://127.0.0.1:1' },
    })
    const asked = await callApi('POST', 'ai/v1/providers/openai/test')
    expect(asked.code).to.equal('package_missing')
    expect(asked.data).to.deep.include({ status: 501, install: 'npm install ai @ai-sdk/openai' })

    const withRedis = join(project, 'with-redis')
    mkdirSync(withRedis)
    writeFileSync(join(withRedis, 'config.json'), JSON.stringify({ rateLimitUrl: 'redis://:hidden@127.0.0.1:1' }))
    const started = await inPackage(withRedis, ['start', '--port', '0'])
    expect(started.code).to.equal(1)
    expect(started.errors).to.include('run npm install ioredis, and restart Pentad.').and.not.include('hidden')

    mkdirSync(join(modules, '@ai-sdk'))
    for (const name of ['ai', '@ai-sdk/openai-compatible'])
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
    const test = () => callApi('POST', 'ai/v1/providers/compatible/test')
    expect((await test()).message).to.contain('Restart Pentad.')
    await site.end()
    site = await startPentad(siteDir, [], { command })
    expect((await test()).code).to.equal('ai_provider_error')
  })

  for (const module of ['nodenext', 'preserve']) {
    it(`has declarations that compile under plain strict with module ${module}`, async () => {
      const folder = join(project, module)
      cpSync(join(siteDir, 'extensions/hello'), folder, { recursive: true })
      writeFileSync(
        join(folder, 'services.ts'),
        `import { defineExtension } from 'pentad'
import { createHost } from 'pentad/host'
import { createTestHost } from 'pentad/testing'
import { callRoute } from 'pentad/cli'
export default defineExtension({
  id: 'services',
  name: 'Services',
  version: '1.0.0',
  setup: ({ hooks }) => hooks.doAction('speed_purge', { tags: ['prices'], reason: 'Prices changed.' }),
})
export const used = [createHost, createTestHost, callRoute]
`,
      )
      const options = { target: 'esnext', module, strict: true, noEmit: true }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
      const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
      const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
        (error: { stdout: string }) => error,
      )
      expect(stdout).to.equal('')
    })
  }

  it('makes an extension of its own repository, which is tested, checked, packed, and installed', async () => {
    const folder = join(temporaryFolder(), 'good-day')
    const create = await npmPack('create-pentad-extension')
    await run(process.execPath, [join(create, 'index.js'), folder])
    symlinkSync(modules, join(folder, 'node_modules'), 'junction')
    const { stdout: tested } = await run(process.execPath, ['--test'], { cwd: folder })
    expect(tested).to.match(/pass 3\n/)
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
    for (const options of [[], ['--module', 'preserve', '--moduleResolution', 'bundler']]) {
      const { stdout } = await run(process.execPath, [compiler, ...options, '-p', folder]).catch(
        (error: { stdout: string }) => error,
      )
      expect(stdout).to.equal('')
    }
    const packing = await inPackage(siteDir, ['extension', 'pack', folder, '--out', folder])
    expect(packing.errors + packing.output).to.contain('good-day-1.0.0.tgz')
    const installing = await inPackage(siteDir, [
      'extension',
      'install',
      join(folder, 'good-day-1.0.0.tgz'),
      '--activate',
    ])
    expect(installing.errors + installing.output).to.contain('good-day 1.0.0 is installed.')
    expect(await read('/hello-world/')).to.contain('<p class="good-day">Hello!</p>')
    const removing = await inPackage(siteDir, ['extension', 'remove', 'good-day', '--with-data'])
    expect(removing.errors + removing.output).to.contain('good-day was removed with its data.')
    expect(await read('/hello-world/')).not.to.contain('class="good-day"')
  })

  it('makes a sandboxed extension, in which code that a sandbox cannot run does not compile', async () => {
    const folder = join(temporaryFolder(), 'good-evening')
    const create = await npmPack('create-pentad-extension')
    await run(process.execPath, [join(create, 'index.js'), folder, '--sandbox'])
    symlinkSync(modules, join(folder, 'node_modules'), 'junction')
    const { stdout: tested } = await run(process.execPath, ['--test'], { cwd: folder })
    expect(tested).to.match(/pass 3\n/)
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
    const compile = async (...args: readonly string[]) => {
      const { stdout } = await run(process.execPath, [compiler, '--pretty', 'false', ...args], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      )
      return stdout
    }
    const created = readFileSync(join(folder, 'index.ts'), 'utf8')
      .replace('setup({ hooks', `setup({ log, hooks`)
      .replace("hooks: ['the_content']", "hooks: ['the_content', 'publish_post', 'wp_head', 'seo_title']")
    const good = `
    hooks.addAction('publish_post', (id, post) => log.info({ id }, post.title.trim()))
    hooks.addAction('wp_head', (output, page) => output.print(page.path.trim()))
    hooks.addFilter('seo_title', (title) => title.trim())
    log.info(new URL('/a', 'https://example.org').searchParams.get('b') ?? crypto.randomUUID())
`
    const bad = [
      "import('node:fs')",
      'process.exit(1)',
      "Buffer.from('a')",
      'setTimeout(() => {}, 1)',
      "require('node:fs')",
      "fetch('https://example.org')",
      "hooks.addFilter('the_title', (title: string) => title)",
      "hooks.addAction('publish_post', (id, post) => post.password)",
      "hooks.addAction('wp_head', (output, page) => page.request)",
    ]
    const withCode = (code: string) => created.replace(/^ {4}hooks\.addFilter/m, `${code}    hooks.addFilter`)
    for (const options of [[], ['--module', 'preserve', '--moduleResolution', 'bundler']]) {
      writeFileSync(join(folder, 'index.ts'), withCode(good))
      expect(await compile(...options, '-p', '.')).to.equal('')
      expect(await compile(...options, '-p', 'test')).to.equal('')
      writeFileSync(join(folder, 'index.ts'), withCode(`\n${bad.join('\n')}\n`))
      const found = await compile(...options, '-p', '.')
      const source = readFileSync(join(folder, 'index.ts'), 'utf8').split('\n')
      const lines = [...found.matchAll(/^index\.ts\((\d+),/gm)].map(([, line]) => source[Number(line) - 1])
      expect([...new Set(lines)]).to.deep.equal(bad)
    }
    writeFileSync(join(folder, 'index.ts'), withCode(good))
    const packing = await inPackage(siteDir, ['extension', 'pack', folder, '--out', folder])
    expect(packing.errors + packing.output).to.contain('good-evening-1.0.0.tgz')
    const tarball = join(folder, 'good-evening-1.0.0.tgz')
    const installing = await inPackage(siteDir, ['extension', 'install', tarball, '--activate'])
    expect(installing.errors + installing.output).to.contain('good-evening 1.0.0 is installed.')
    expect(await read('/hello-world/')).to.contain('<p class="good-evening">Hello!</p>')
    await inPackage(siteDir, ['extension', 'remove', 'good-evening', '--with-data'])
  })

  it('writes nothing beside its code', async () => {
    await site.end()
    const { stdout } = await run('tar', ['-tzf', packed.pentad], { maxBuffer: 16 * 1024 ** 2 })
    const shipped = stdout.split('\n').filter((name) => name !== '' && !name.endsWith('/'))
    const now = globSync(['**/*', 'admin/dist/.vite/*'], { cwd: installed, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    )
    expect(now.length).to.equal(shipped.length)
    expect(globSync('cache/code/**', { cwd: siteDir })).not.to.have.length(0)
  })
})

/** Bytes of all files in a folder. */
function bytesIn(folder: string): number {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
