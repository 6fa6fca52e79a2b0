import { expect } from 'chai'
import type { JsonValue } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { complaint } from '../host/hostile-site.ts'
import { asForm, encode, HOSTILE } from '../host/hostile-values.ts'
import { openSender, type Sent } from '../support/send.ts'
import { ask, statusOf } from '../support/wire.ts'
import { LICENSED } from './license.ts'
import { openSeoSite } from './seo-site.ts'

/** What has to be there besides the hostile parameter for it to be looked at. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  settings: {},
  answers: {},
  source: '/old/',
  target: '/new/',
  url: '/',
}

/** Addresses that proxies, browsers and rules read in different ways. */
const PATHS = [
  ...[
    '/%',
    '/%ZZ',
    '/%00',
    '/%ff%fe',
    '/%ed%a0%80',
    '/%c0%ae%c0%ae/',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/',
    '/a%0d%0aX:1',
  ],
  ...[
    '//evil.example/',
    '/\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/http://evil.example/',
    '/?',
    '/??a=b',
    '/?%',
  ],
  ...[
    '/?a[]=1&a[b]=2',
    '/?utm_source=%ff',
    '/?utm_source=<script>alert(1)</script>',
    `/?${'a=1&'.repeat(2000)}`,
    `/${'a'.repeat(7000)}`,
  ],
  ...[
    '/wp-sitemap-__proto__-1.xml',
    '/wp-sitemap-posts-post-0.xml',
    '/wp-sitemap-posts-post-99999999999.xml',
    '/wp-sitemap-%00-1.xml',
  ],
  ...[
    '/sitemap.xml?%',
    '/robots.txt?%',
    '/llms.txt?%',
    '/llms.txt/',
    '/.well-known/http-message-signatures-directory',
    `/${'x'.repeat(128)}.txt`,
  ],
  ...[
    '/é',
    '/e%CC%81',
    '/%25%32%35',
    '/constructor',
    '/__proto__',
    '/<script>alert(1)</script>',
    "/'%20OR%201=1--",
    '/%F0%9F%8D%9E/',
  ],
]

/** Headers that the service reads. */
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    'User-Agent',
    [
      '',
      'GPTBot',
      `GPTBot/${'9'.repeat(5000)}`,
      'GPTBot; <script>alert(1)</script>',
      'ClaudeBot GPTBot PerplexityBot',
      '\u00ff\u00fe',
      '((((((((((',
    ],
  ],
  [
    'Referer',
    [
      'chatgpt.com',
      'https://chatgpt.com.evil.example/',
      'https://user:pass@chatgpt.com:99999/',
      'android-app://com.openai.chatgpt',
      'https://[::1',
      `https://chatgpt.com/${'a'.repeat(6000)}`,
      'javascript:alert(1)',
    ],
  ],
  [
    'Signature-Agent',
    [
      '"https://chatgpt.com"',
      'https://127.0.0.1:1/',
      '"http://169.254.169.254/latest"',
      '""',
      '(((',
      `"${'a'.repeat(5000)}"`,
    ],
  ],
  [
    'Signature-Input',
    [
      'sig1=()',
      'sig1=("@authority" "signature-agent");created=1;expires=0;keyid="x";tag="web-bot-auth"',
      'sig1=("@path";sf;bs;key="x")',
      '=',
      `sig1=(${'"@authority" '.repeat(500)})`,
    ],
  ],
  ['Signature', ['sig1=:AAAA:', 'sig1=::', ':', `sig1=:${'A'.repeat(6000)}:`]],
  ['X-Forwarded-For', ['1.2.3.4', '::ffff:1.2.3.4', '1.2.3.4, <script>', '999.999.999.999', ', , ,']],
  ['Host', ['evil.example', 'evil.example:80@127.0.0.1', '127.0.0.1\t']],
]

interface Endpoint {
  readonly method: string
  /** `/seo/v1/redirects/{id}` */
  readonly path: string
  readonly parameters: readonly string[]
}

/** What whoever writes may ask for; of which posts the posts tell. */
const FOR_WRITERS = ['/retrieval-score', '/snippet', '/title-variables']

describe('bad input on every route of the SEO service', () => {
  let site: TestHost
  let endpoints: readonly Endpoint[]
  let sender: ReturnType<typeof openSender>
  let authorization: string
  let ruleId: string
  let complaints: string[] = []
  before(async () => {
    site = await openSeoSite({ config: LICENSED })
    site.respond(() => new Response('', { status: 200 }))
    sender = openSender(site.url)
    const { auth, rest } = site.host
    const user = await auth.users.create({ login: 'ada', email: 'ada@example.org', roles: ['administrator'] })
    const { password } = await auth.applicationPasswords.create(user.id, 'test')
    authorization = `Basic ${btoa(`ada:${password}`)}`
    const rule = await send({ method: 'POST', path: '/redirects', body: '{"source":"/first/","target":"/second/"}' })
    ruleId = String(JSON.parse(rule.text).data.id)
    const document = JSON.parse(JSON.stringify(site.host.openApi()))
    endpoints = rest
      .routes()
      .filter(({ namespace, path }) => namespace === 'seo/v1' && path !== '/seo/v1')
      .flatMap(({ path, methods }) =>
        methods.map((method) => ({
          method,
          path,
          parameters: parametersOf(document.paths[path]?.[method.toLowerCase()]),
        })),
      )
  })
  after(async () => {
    sender.close()
    await site.close()
  })
  afterEach(() => {
    const found = complaints.splice(0, 20)
    complaints = []
    expect(found).to.deep.equal([])
    expect('polluted' in {}).to.equal(false)
  })

  const fill = (path: string, id = ruleId) => path.replace(/\{id(?::[^}]*)?\}/, id)

  /** As an administrator; the path is below `seo/v1` where it does not say otherwise. */
  function send({ path, headers, ...sent }: Sent) {
    const whole = path.startsWith('/wp-json') ? path : `/wp-json/seo/v1${path}`
    return sender.send({
      ...{ ...sent, path: whole },
      headers: { Authorization: authorization, 'Content-Type': 'application/json', ...headers },
    })
  }

  async function sendAll(all: readonly Sent[]): Promise<void> {
    for (let at = 0; at < all.length; at += 8) {
      await Promise.all(
        all.slice(at, at + 8).map(async (one) => {
          const found = complaint(await send(one))
          if (found)
            complaints.push(
              `${one.method ?? 'GET'} ${one.path.slice(0, 150)} ${String(one.body ?? '').slice(0, 100)}: ${found}`,
            )
        }),
      )
    }
  }

  it('knows all routes that services.md names', () => {
    const known = endpoints.map(({ method, path }) => `${method} ${path.replace(/:[^}]*\}/, '}')}`)
    for (const route of [
      ...['PUT /settings', 'POST /setup/complete', 'GET /legacy-seo', 'POST /notifications/test'],
      ...[
        'GET /redirects',
        'POST /redirects',
        'DELETE /redirects/{id}',
        'POST /redirects/import',
        'GET /redirects/export',
      ],
      ...[
        'GET /404s',
        'DELETE /404s',
        'POST /404s/redirect',
        'GET /geo/crawlers',
        'GET /geo/referrals',
        'POST /geo/clear',
      ],
      ...['POST /geo/indexnow', 'GET /link-suggestions', 'GET /orphans', 'GET /retrieval-score'],
    ])
      expect(known).to.include(route.replace(' /', ' /seo/v1/'))
    const parameters = endpoints.flatMap((endpoint) => endpoint.parameters)
    expect(parameters).to.include.members([
      'settings',
      'answers',
      'source',
      'rules',
      'csv',
      'urls',
      'postId',
      'days',
      'search',
    ])
  })

  it('returns nothing to anonymous visitors and editors, whatever they send', async () => {
    for (const { method, path, parameters } of endpoints) {
      const body = JSON.stringify(Object.fromEntries(parameters.map((name) => [name, { not: 'right' }])))
      const url = `/wp-json${fill(path)}`
      for (const [as, status] of [
        [undefined, 401],
        ['editor', 403],
      ] as const) {
        if (as !== undefined && FOR_WRITERS.some((route) => path.endsWith(route))) continue
        const answer = await site.request(url, {
          ...{ method, ...(as && { as }), headers: { 'Content-Type': 'application/json' } },
          ...(method !== 'GET' && { body: JSON.parse(body) }),
        })
        const { code, data } = JSON.parse(await answer.text())
        expect({ url, method, status: answer.status, code, data }).to.deep.equal({
          ...{ url, method, status, code: 'rest_forbidden', data: { status } },
        })
      }
    }
  })

  it('in each parameter of a reading route', async () => {
    for (const { path, parameters } of endpoints.filter(({ method }) => method === 'GET')) {
      const queries = parameters
        .flatMap((name) => Object.values(HOSTILE).map((json) => asForm(name, json)))
        .filter((query) => query.length < 10_000)
      await sendAll(queries.map((query) => ({ path: `/wp-json${fill(path)}?${query}` })))
    }
  })

  it('in each parameter of a writing route', async () => {
    for (const { method, path, parameters } of endpoints.filter((endpoint) => endpoint.method !== 'GET')) {
      const bodies = [...parameters, 'nobody'].flatMap((name) => {
        const others = parameters.filter((other) => other !== name && other in REQUIRED)
        const fields = others.map((other) => `${JSON.stringify(other)}:${JSON.stringify(REQUIRED[other])}`)
        return Object.values(HOSTILE).map((json) => `{${[...fields, `${JSON.stringify(name)}:${json}`].join()}}`)
      })
      // A rule that is deleted is found no more: it stays.
      const url = `/wp-json${method === 'DELETE' ? fill(path, '4711') : fill(path)}`
      await sendAll(bodies.map((body) => ({ method, path: url, body })))
    }
  })

  it('as the whole body, and as the part of a path', async () => {
    const bodies = [
      '',
      '[',
      'null',
      '[]',
      '"x"',
      '{"a":',
      '\u0000',
      '{"rules":[{"source":"/a"},null,1,"x",[]]}',
      '\ufeff{}',
    ]
    for (const { method, path } of endpoints) {
      if (method !== 'GET')
        await sendAll(bodies.map((body) => ({ method, path: `/wp-json${fill(path, '4711')}`, body })))
      if (fill(path) === path) continue
      const ids = Object.values(HOSTILE).filter((json) => json.length < 2000)
      await sendAll(
        ids.map((json) => {
          const value: unknown = JSON.parse(json)
          return { method, path: `/wp-json${fill(path, encode(typeof value === 'string' ? value : json))}` }
        }),
      )
    }
  })

  it('as a file of redirects', async () => {
    const files = [
      ...['\u0000', '"', '""""', 'source,target\n"', ',,,\n'.repeat(10_000), `/a,${'b'.repeat(1_000_000)}`],
      ...['=cmd|x!A1,/b,301', 'RewriteRule ^(.*$ /b [R=301,L]', 'rewrite ^/(((((((((( /b permanent;', '<xml/>', '[[[['],
    ]
    const bodies = [
      ...files.map((text) => Buffer.from(text)),
      Buffer.from('\ufeff/a,/b', 'utf16le'),
      Buffer.from([255, 254, 0]),
    ]
    for (const type of [
      'text/csv',
      'application/octet-stream',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'Content-Type': type }
      await sendAll(bodies.map((body) => ({ method: 'POST', path: '/redirects/import', headers, body })))
    }
    await expectPages('files of redirects')
  })

  it('in each setting, after which pages are still pages', async () => {
    const settings = site.host.settings.get('seo')
    const before = settings?.get() ?? {}
    for (const [turn, key] of [...Object.keys(before), '__proto__'].entries()) {
      // Every third value, in turn: each setting gets twenty, and each value many settings.
      const values = Object.values(HOSTILE).filter((_, at) => at % 3 === turn % 3)
      await sendAll(
        values.map((json) => ({
          method: 'PUT',
          path: '/settings',
          body: `{"settings":{${JSON.stringify(key)}:${json}}}`,
        })),
      )
      await expectPages(key)
    }
    await settings?.update(before)
  })

  it('in the fields of a post, however they got there', async () => {
    const { content } = site.host
    const { id, path } = await content.posts.insert({ title: 'Bread', content: 'Text.', status: 'publish' })
    const keys = [...content.metaFields('post', 'post').keys()].filter((key) => key.startsWith('_seo_'))
    expect(keys.length).to.be.greaterThan(10)
    for (const [turn, key] of keys.entries()) {
      for (const [at, json] of Object.values(HOSTILE).entries()) {
        if (at % 3 !== turn % 3 || json.length > 20_000 || json.includes('__proto__')) continue
        const value: JsonValue = JSON.parse(json.replace('1e309', '1'))
        await content.meta.set('post', id, key, value)
        const { status, text } = await sender.send({ path })
        if (status !== 200 || text.includes('<script>alert'))
          complaints.push(`${key} = ${json.slice(0, 60)}: ${status}`)
      }
      await sendAll([{ path: `/wp-json/wp/v2/posts/${id}` }])
      await expectPages(key)
      await content.meta.delete('post', id, key)
    }
  })

  it('in URLs and headers, which the lists show afterwards', async () => {
    const quiet = 'Accept: text/html'
    const asked = [
      ...PATHS.map((path) => [path, quiet]),
      ...HEADERS.flatMap(([name, values]) => values.map((value) => ['/hello-world/', `${name}: ${value}`])),
      ...HEADERS.flatMap(([name, values]) => values.map((value) => ['/not-here/', `${name}: ${value}`])),
    ]
    for (const [target = '/', header = ''] of asked) {
      const answer = await ask(site.url, target, header)
      const status = statusOf(answer)
      const location = /^location: *(.*)$/im.exec(answer)?.[1] ?? ''
      const isAway = location !== '' && new URL(location, site.url).origin !== site.url
      if (status === 0 || status >= 500 || isAway || answer.includes('<script>alert'))
        complaints.push(`${target.slice(0, 80)} ${header.slice(0, 80)}: ${status} ${location}`)
    }
    await sendAll(['/404s?perPage=100', '/geo/crawlers', '/geo/referrals', '/redirects'].map((path) => ({ path })))
  })

  /** What everybody reads is there, and no text of a setting or field became markup. */
  async function expectPages(what: string): Promise<void> {
    for (const path of ['/', '/hello-world/', '/feed/', '/robots.txt', '/llms.txt', '/wp-sitemap.xml', '/not-here/']) {
      const { status, text } = await sender.send({ path })
      if (status >= 500 || text.includes('<script>alert')) complaints.push(`${path} after ${what}: ${status}`)
    }
  }
})

/** Names of the parameters of an operation of OpenAPI, those of the path left out. */
function parametersOf(operation: {
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, { schema?: { properties?: object } }> }
}): string[] {
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const bodies = Object.values(operation?.requestBody?.content ?? {})
  return [...new Set([...query, ...bodies.flatMap(({ schema }) => Object.keys(schema?.properties ?? {}))])]
}
