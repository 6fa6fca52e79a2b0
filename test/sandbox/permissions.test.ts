import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { serve } from '../../app/serve.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { writeGuest } from './guests.ts'

/** Runs code that a test sends, in the sandbox: a hostile extension could contain any of it. */
const SOURCE = (permissions: string) => `
  permissions: { routes: ['public'], ${permissions} },
  setup(host) {
    const { rest } = host
    const AsyncFunction = (async () => {}).constructor
    rest.registerRoute('probe/v1', { method: 'POST', path: '/run', access: 'public', input: z.object({ code: z.string() }),
      handler: async ({ input }) => ({ value: (await new AsyncFunction('host', 'RestResponse', input.code)(host)) ?? null }) })
  },`

async function open(permissions: string, options: { isTrustedAddress?: (url: URL) => boolean } = {}) {
  const host = await createTestHost({
    extensions: [await writeGuest('probe', 'sandbox', SOURCE(permissions))],
    ...options,
  })
  /** The value that the code returns, or the message of its error. */
  async function run(code: string): Promise<unknown> {
    const caught = `try { ${code} } catch (error) { return error.message }`
    const response = await host.request('/wp-json/probe/v1/run', { method: 'POST', body: { code: caught } })
    return z.object({ value: z.unknown() }).parse(await response.json()).value
  }
  return { host, run }
}

describe('a sandboxed extension without permissions', () => {
  let host: TestHost
  let run: (code: string) => Promise<unknown>
  before(async () => {
    ;({ host, run } = await open(''))
  })
  after(() => host.close())

  const denied: Readonly<Record<string, string>> = {
    'reads posts': 'return await host.content.posts.get(1)',
    'lists posts': 'return await host.content.posts.query({})',
    'writes posts': "return await host.content.posts.insert({ title: 'x' })",
    'deletes posts': 'return await host.content.posts.delete(1)',
    'reads meta': "return await host.content.meta.get('post', 1, 'x')",
    'stores data': "return await host.options.update('probe_x', 1)",
    'reads options': "return host.options.get('probe_x')",
    'sends mail': "return await host.mail.send({ to: 'a@example.org', subject: 'x' })",
    'sends requests': "return await host.fetch('https://example.org/')",
    'reads the user': 'return host.getCurrentUser()',
  }
  for (const [what, code] of Object.entries(denied)) {
    it(`is told the permission when it ${what}`, async () =>
      match(String(await run(code)), /is not allowed\. Add it to permissions\./))
  }

  it('gets no more of host than a sandbox has', async () => {
    const missing = ['database', 'auth', 'vault', 'front', 'decorate', 'signal', 'alias']
    deepEqual(await run(`return ${JSON.stringify(missing)}.filter((name) => host[name] !== undefined)`), [])
    equal(await run('return Object.keys(host.site).join()'), 'url,environment')
    equal(await run('return Object.keys(host.admin).join()'), 'addPage')
  })

  it('shows the administrator what was refused', async () => {
    const response = await host.get('/wp-json/host/v1/extensions/probe/sandbox', { as: 'administrator' })
    match(await response.text(), /content\.posts\.get: Reading content is not allowed/)
    equal((await host.get('/wp-json/host/v1/extensions/probe/sandbox', { as: 'editor' })).status, 403)
    const list = await (await host.get('/wp-json/host/v1/extensions', { as: 'administrator' })).text()
    match(list, /"id":"probe"[^}]*"isSandboxed":true/)
    match(list, /"id":"reading-time"[^}]*"isSandboxed":false/)
  })
})

describe('the permissions of a sandboxed extension', () => {
  let host: TestHost
  let run: (code: string) => Promise<unknown>
  let draft: number
  let page: number
  const server = createServer((request, response) => {
    response.setHeader('Set-Cookie', 'a=b')
    response.end(JSON.stringify({ headers: request.headers, url: request.url }))
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ;({ host, run } = await open(
      `content: { read: 'own', write: 'own', types: ['post'] }, storage: 0.01, mail: { perHour: 2 },
       hooks: ['the_content', 'wp_footer', 'preprocess_comment', 'read_post_caps'],
       fetch: { hosts: ['trusted.example', '127.0.0.1', 'localhost', '10.0.0.1'], perMinute: 20 }`,
      { isTrustedAddress: ({ pathname }) => pathname.startsWith('/trusted') },
    ))
    const { posts } = host.host.content
    draft = (await posts.insert({ title: 'Draft of another', content: 'Secret words', status: 'draft' })).id
    page = (await posts.insert({ title: 'Page', type: 'page', status: 'publish' })).id
  })
  after(async () => {
    await host.close()
    server.close()
  })

  it('hides the drafts of others, other types, passwords and internal meta', async () => {
    equal(await run(`return await host.content.posts.get(${draft})`), null)
    equal(await run(`return await host.content.posts.get(${page})`), null)
    doesNotMatch(
      JSON.stringify(await run("return await host.content.posts.query({ statuses: ['draft', 'publish'] })")),
      /Secret/,
    )
    equal(await run('return (await host.content.posts.get(1)).password'), null)
    match(String(await run("return await host.content.meta.get('post', 1, '_created_by_extension')")), /internal/)
  })

  it('changes only what it created, without scripts', async () => {
    match(String(await run(`return await host.content.posts.update(1, { title: 'x' })`)), /may not change/)
    match(String(await run(`return await host.content.posts.delete(${draft})`)), /may not change/)
    const made = await run(
      "return (await host.content.posts.insert({ title: 'Own', content: '<p onclick=\"x()\">Hi<script>x()</script></p>' })).content",
    )
    equal(made, '<p>Hi</p>')
    match(String(await run("return await host.content.posts.insert({ title: 'x', type: 'page' })")), /not allowed/)
    match(String(await run("return await host.content.posts.insert({ title: 'x', authorId: 1 })")), /authorId/)
  })

  it('stores only its own options, within its space', async () => {
    match(String(await run("return await host.options.update('siteurl', 'x')")), /must start with probe_/)
    match(String(await run("return host.options.get('host_settings')")), /must start with probe_/)
    match(String(await run("return await host.options.update('probe_settings', {})")), /settings\.update/)
    match(String(await run("return await host.options.update('probe_x', 'x'.repeat(20_000))")), /may store at most/)
    equal(await run("await host.options.update('probe_x', [1]); return host.options.get('probe_x')[0]"), 1)
  })

  it('sends requests only to public addresses of allowed hosts', async () => {
    const { port } = server.address() as AddressInfo
    match(String(await run("return await host.fetch('https://example.org/')")), /not allowed/)
    match(String(await run("return await host.fetch('https://trusted.example.evil.example/')")), /not allowed/)
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      'https://10.0.0.1/',
      'https://[::1]/',
      'file:///etc/passwd',
      'http://169.254.169.254/',
    ])
      match(String(await run(`return await host.fetch('${url}')`)), /not allowed|could not be reached/)
    match(
      String(await run("return await host.fetch('https://trusted.example/', { method: 'POST' })")),
      /method of POST trusted.example is not allowed/,
    )
    const sent = await run(
      `const response = await host.fetch('http://127.0.0.1:${port}/trusted', { headers: { Host: 'x', Cookie: 'a=b', 'X-Own': '1' } }); return { body: await response.text(), cookie: response.headers.get('set-cookie') }`,
    )
    const { body, cookie } = z.object({ body: z.string(), cookie: z.null() }).parse(sent)
    equal(cookie, null)
    match(body, /"x-own":"1"/)
    doesNotMatch(body, /"cookie"|"host":"x"/)
  })

  it('sends requests to no other address that a host name has', async () => {
    // A test host answers requests without a network.
    const site = await serve({ siteDir: temporaryFolder(), port: 0, logLevel: 'silent' }, { runServices: false })
    const ask = (path: string, init: RequestInit) => fetch(`${site.url}/wp-json/${path}`, init)
    try {
      const { auth, extensions } = site.host
      const guest = await writeGuest('probe', 'sandbox', SOURCE("fetch: { hosts: ['localhost'] }"))
      await extensions.activate(await extensions.add(guest))
      const code = "try { await host.fetch('https://localhost/') } catch (error) { return error.message }"
      const headers = { 'Content-Type': 'application/json' }
      const response = await ask('probe/v1/run', { method: 'POST', headers, body: JSON.stringify({ code }) })
      match(await response.text(), /not public/)
      const { password } = await auth.applicationPasswords.create(1, 'test')
      const credentials = { Authorization: `Basic ${btoa(`admin:${password}`)}` }
      const report = await (await ask('host/v1/extensions/probe/sandbox', { headers: credentials })).text()
      match(report, /"refused":\[\{[^}]*localhost has an address that is not public/)
      match(report, /"hosts":\[\]/)
    } finally {
      await site.close()
    }
  })

  it('sends requests to the responders of a test, without a network', async () => {
    const undo = host.respond(({ url, method }) =>
      url === 'https://trusted.example/now' ? Response.json({ method }, { status: 202 }) : undefined,
    )
    const code =
      "const response = await host.fetch('https://trusted.example/now'); return [response.status, await response.json()]"
    deepEqual(await run(code), [202, { method: 'GET' }])
    equal(host.requests.at(-1)?.url, 'https://trusted.example/now')
    undo()
    match(String(await run(code)), /No responder handles GET https:\/\/trusted\.example\/now/)
  })

  it('is ended in the middle of its work without leaving half a write', async () => {
    equal(
      (
        await host.request('/wp-json/probe/v1/run', {
          method: 'POST',
          body: { code: "await host.options.update('probe_w', [1, 2]); for (;;) {}" },
        })
      ).status,
      500,
    )
    equal(await run("return host.options.get('probe_w').length"), 2)
  })

  it('sends mail within its limit, to addresses only', async () => {
    const send = (message: string) => run(`return await host.mail.send(${message})`)
    match(String(await send("{ to: 'a@example.org', subject: 'x', from: 'b@example.org' }")), /from/)
    equal(typeof (await send("{ to: 'a@example.org', subject: 'x', text: 'x' }")), 'object')
    equal(typeof (await send("{ to: 'a@example.org', subject: 'x', text: 'x' }")), 'object')
    match(String(await send("{ to: 'a@example.org', subject: 'x', text: 'x' }")), /2 emails an hour/)
  })

  it('cannot set headers that act on the browser, nor other content types', async () => {
    const response = await host.request('/wp-json/probe/v1/run', {
      method: 'POST',
      body: { code: 'return 1' },
    })
    equal(response.headers.get('Content-Type')?.startsWith('application/json'), true)
  })
})

describe('what a sandboxed extension adds to pages', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost({
      extensions: [
        await writeGuest(
          'probe',
          'sandbox',
          `permissions: { hooks: ['the_content', 'wp_footer', 'read_post_caps'], routes: ['public'] },
  setup({ hooks, rest }) {
    hooks.addFilter('the_content', (html, post) => '<img src=x onerror=alert(1)>' + html + '<script>alert(1)</script><b>added</b>')
    hooks.addAction('wp_footer', (output) => output.print('<a href="javascript:alert(1)">x</a><iframe src="//evil.example"></iframe><i>printed</i>'))
    hooks.addFilter('read_post_caps', () => [])
    rest.registerRoute('probe/v1', { method: 'GET', path: '/html', access: 'public', handler: () => new RestResponse('<script>alert(1)</script>', { headers: { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b', 'X-Frame-Options': 'x', 'Cache-Control': 'no-store' } }) })
  },`,
        ),
      ],
    })
  })
  after(() => host.close())

  it('has no scripts, frames and event handlers, and leaves the text of the author as it is', async () => {
    const { posts } = host.host.content
    await posts.insert({ title: 'T', slug: 't', status: 'publish', content: '<p>Text</p><script>own()</script>' })
    const page = await (await host.get('/t/')).text()
    match(page, /<b>added<\/b>/)
    match(page, /<i>printed<\/i>/)
    match(page, /<script>own\(\)<\/script>/)
    doesNotMatch(page, /onerror|alert\(1\)|evil\.example|javascript:/)
  })

  it('cannot open what others protect', async () => {
    const undo = host.host.hooks.addFilter('read_post_caps', (caps) => [...caps, 'manage_options'], 1)
    equal((await host.get('/hello-world/')).status, 404)
    undo()
  })

  it('sends JSON, without cookies', async () => {
    const response = await host.get('/wp-json/probe/v1/html')
    match(response.headers.get('Content-Type') ?? '', /^application\/json/)
    equal(response.headers.get('Set-Cookie'), null)
    equal(response.headers.get('Cache-Control'), 'no-store')
  })
})

describe('a sandboxed extension that answers its own hooks', () => {
  it('is not called without end', async () => {
    const host = await createTestHost({
      extensions: [
        await writeGuest(
          'echo',
          'sandbox',
          `permissions: { hooks: ['save_post'], content: { read: 'all', write: 'all' }, storage: 1 },
  setup({ hooks, content, options }) {
    hooks.addAction('save_post', async (id, post) => {
      await options.modify('echo_calls', (calls) => (calls ?? 0) + 1)
      await content.posts.update(id, { title: post.title + '!' })
    })
  },`,
        ),
      ],
    })
    const { id } = await host.host.content.posts.insert({ title: 'Echo', status: 'publish' })
    match((await host.host.content.posts.get(id))?.title ?? '', /^Echo!{1,4}$/)
    equal(
      host.host.options.get('echo_calls'),
      (await host.host.content.posts.get(id))?.title.replaceAll(/[^!]/g, '').length,
    )
    await host.close()
  })
})

describe('the manifest of a sandboxed extension', () => {
  let host: TestHost
  before(async () => {
    host = await createTestHost()
  })
  after(() => host.close())

  const invalid: readonly (readonly [rest: string, reason: RegExp])[] = [
    [
      "permissions: {}, setup({ hooks }) { hooks.addFilter('the_content', (html) => html) },",
      /The hook the_content is not allowed/,
    ],
    [
      "permissions: { hooks: ['the_title'] }, setup({ hooks }) { hooks.addFilter('the_title', (title) => title) },",
      /is synchronous/,
    ],
    [
      "permissions: { hooks: ['authenticate'] }, setup({ hooks }) { hooks.addFilter('authenticate', () => null) },",
      /passes secrets/,
    ],
    [
      "permissions: { routes: ['public'] }, setup({ rest }) { rest.registerRoute('wp/v2', { method: 'GET', path: '/x', access: 'public', handler: () => 1 }) },",
      /namespace must be guest/,
    ],
    [
      "permissions: { routes: ['public'] }, setup({ rest }) { rest.registerRoute('guest/v1', { method: 'GET', path: '/{x:(a+)+}', access: 'public', handler: () => 1 }) },",
      /patterns/,
    ],
    [
      "permissions: {}, setup({ rest }) { rest.registerRoute('guest/v1', { method: 'GET', path: '/x', access: 'public', handler: () => 1 }) },",
      /A route for public is not allowed/,
    ],
    [
      "permissions: {}, setup({ jobs }) { jobs.schedule('guest-x', 'hourly', () => {}) },",
      /A scheduled event is not allowed/,
    ],
    ['permissions: { storage: 100 }, setup() {},', /manifest is invalid/],
    ['permissions: { everything: true }, setup() {},', /manifest is invalid/],
    ['permissions: {}, setup() { for (;;) {} },', /CPU time|took longer/],
    [
      "permissions: { storage: 1 }, async setup({ options }) { await options.update('guest_x', 1) },",
      /Do this in a callback/,
    ],
  ]
  for (const [rest, reason] of invalid) {
    it(`is rejected: ${reason.source}`, async () => {
      const id = await host.host.extensions.add(await writeGuest('guest', 'sandbox', rest))
      await host.host.extensions.activate(id).then(
        () => Promise.reject(new Error('It was activated.')),
        (error) => match(JSON.stringify(error.data), reason),
      )
    })
  }

  it('asks again when a new version wants more', async () => {
    const folder = await writeGuest('grows', 'sandbox', 'permissions: { storage: 1 }, setup() {},')
    const { extensions } = host.host
    await extensions.add(folder)
    await extensions.activate('grows')
    await writeGuest('grows', 'sandbox', "permissions: { storage: 1, hooks: ['the_content'] }, setup() {},", '', folder)
    await extensions.reload('grows').then(
      () => Promise.reject(new Error('It was reloaded.')),
      (error) => match(JSON.stringify(error.data), /It requires additional permissions: Use the hook the_content/),
    )
    await extensions.deactivate('grows')
    equal((await extensions.activate('grows')).state, 'active')
  })

  it('pauses an extension that is ended three times within a minute', async () => {
    const { extensions } = host.host
    await extensions.add(
      await writeGuest(
        'slow',
        'sandbox',
        "permissions: { hooks: ['the_content'] }, setup({ hooks }) { hooks.addFilter('the_content', () => { for (;;) {} }) },",
      ),
    )
    await extensions.activate('slow')
    for (let view = 0; view < 3; view++) equal((await host.get('/hello-world/')).status, 200)
    await until(() => extensions.list().find(({ id }) => id === 'slow')?.state === 'paused')
    match(
      extensions.list().find(({ id }) => id === 'slow')?.reason ?? '',
      /terminated 3 calls within a minute, most recently the_content \(cpu\)/,
    )
  })
})

describe('a sandboxed extension that uses a hook that a sandbox does not have', () => {
  const hooks: Readonly<Record<string, string>> = {
    the_contend: 'A sandbox has no filter the_contend. Did you mean the_content?',
    te_content: 'A sandbox has no filter te_content. Did you mean the_content?',
    the_contennt: 'A sandbox has no filter the_contennt. Did you mean the_content?',
    the_ocntent: 'A sandbox has no filter the_ocntent. Did you mean the_content?',
    the_title: 'The filter the_title cannot be used in a sandbox: it does not exist, is synchronous,',
  }
  for (const [hook, message] of Object.entries(hooks)) {
    it(`does not start with ${hook}, and says why`, async () => {
      const rest = `permissions: { hooks: ['${hook}'] }, setup({ hooks }) { hooks.addFilter('${hook}', (text) => text) },`
      const guest = await writeGuest('typo', 'sandbox', rest)
      const opened = await createTestHost({ extensions: [guest] }).catch((error: unknown) => error)
      match(String(opened), new RegExp(message.replaceAll('.', '\\.').replaceAll('?', '\\?')))
    })
  }
})
