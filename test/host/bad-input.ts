import { expect } from 'chai'
import type { Sent } from '../support/send.ts'
import { type Caller, type Endpoint, type HostileSite, openHostileSite, STRANGERS } from './hostile-site.ts'
import { asForm, encode, HOSTILE } from './hostile-values.ts'

/** What every route understands beside its own parameters. */
const GLOBAL = ['_fields', '_embed', '_envelope', '_method', '_wpnonce', '_locale', 'per_page', 'perPage', 'nobody']

/** What must be there besides the hostile parameter for it to be looked at. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  ...{ name: 'A name', settings: {}, requests: [], key: 'a.b', post: 1, content: 'Text' },
}
/** What a new user must have; an old one would have the password hashed, which takes its time. */
const USER: Readonly<Record<string, unknown>> = {
  ...{ username: 'another', email: 'another@example.org', password: 'another password' },
}

const NAMES = [
  ...['a[__proto__][x]', '__proto__[x]', 'constructor[prototype][x]', '__proto__', 'a[]', 'a[b', '[', ']', ''],
  ...[`a${'[b]'.repeat(1000)}`, '%00', 'context[]', 'per_page[a]', 'hasOwnProperty'],
]

/** Of what this site does not have, such as webhooks and sandboxed extensions: there is nothing behind these paths. */
const EMPTY = /^\/wp\/v2\/(?:sidebars|widgets|widget-types)\/|^\/host\/v1\/webhooks\/|\/sandbox$/

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'SEARCH', 'LOCK']

/** Sends what every route must refuse, or take without harm, as everybody who may call it. */
export function testBadInput(databaseUrl: () => Promise<string | undefined>, kind: 'sqlite' | 'postgres'): void {
  let site: HostileSite
  let alive: readonly string[]
  let complaints: string[] = []
  /** Where samples start: the two databases get different ones. */
  const start = kind === 'sqlite' ? 0 : 1
  before(async () => {
    site = await openHostileSite(await databaseUrl())
    alive = await site.vitalSigns()
    expect(alive).to.include.members(['a new post: 200, true', 'its page: 200, true'])
  })
  after(() => site.close())
  afterEach(async () => {
    const found = complaints.splice(0, 30)
    complaints = []
    expect(found).to.deep.equal([])
    expect(Object.keys(Object.prototype)).to.deep.equal([])
    expect('polluted' in {}).to.equal(false)
  })

  /** Sends all, a few at a time, each as the next of the callers. */
  async function sendAll(sent: readonly Sent[], callers: readonly Caller[]): Promise<void> {
    for (let at = 0; at < sent.length; at += 8) {
      await Promise.all(
        sent.slice(at, at + 8).map(async (one, offset) => {
          const caller = callers[(at + offset) % callers.length] ?? 'visitor'
          const complaint = site.complaint(await site.send(caller, one))
          if (complaint) complaints.push(`${caller} ${describeRequest(one)}: ${complaint}`)
        }),
      )
    }
  }

  const reading = () => site.endpoints.filter(({ method }) => method === 'GET')
  const writing = () => site.endpoints.filter(({ method }) => method !== 'GET')
  const withCapture = () => site.endpoints.filter(({ path }) => path.includes('{'))

  it('knows the routes of the host, of wp/v2 and of its extensions', () => {
    const paths = site.endpoints.map(({ path }) => path)
    expect(paths).to.include.members(['/', '/batch/v1', '/host/v1/license', '/wp/v2/posts/{id}', '/wp/v2/users/me'])
    expect(paths.some((path) => path.includes('reading-time'))).to.equal(true)
  })

  it('finds something that exists behind every path', async () => {
    await site.putBack()
    const missing: string[] = []
    for (const { path } of withCapture().filter(({ method, path }) => method === 'GET' && !EMPTY.test(path))) {
      const { status } = await site.send('administrator', { path: `/wp-json${site.fill(path)}` })
      if (status === 404) missing.push(path)
    }
    expect(missing).to.deep.equal([])
  })

  /** @param steps one of how many requests is sent: there are some ten thousand of each kind, for each caller. */
  function describeInput(callers: readonly Caller[], steps: { reads: number; writes: number }): void {
    const sample: Sample = (items, step = steps.writes) => items.filter((_, at) => at % step === start % step)

    it('in each parameter of a reading route, by query', async () => {
      for (const endpoint of reading()) {
        const path = `/wp-json${site.fill(endpoint.path)}`
        await sendAll(queries(path, endpoint.parameters, sample, steps.reads), callers)
      }
    })

    it('in what every route understands', async () => {
      for (const [at, { path, method }] of site.endpoints.entries()) {
        const name = GLOBAL[at % GLOBAL.length] ?? ''
        const requests = queries(`/wp-json${site.fill(path)}`, [name], sample)
        await sendAll(
          requests.map((request) => ({ ...request, method })),
          callers,
        )
      }
    })

    it('in each parameter of a writing route, by JSON, form and query', async () => {
      for (const endpoint of writing()) {
        if (!callers.every((caller) => STRANGERS.includes(caller))) await site.putBack()
        // They are other names of POST.
        const isAlias = endpoint.method === 'PUT' || endpoint.method === 'PATCH'
        await sendAll(bodies(site, endpoint, sample, isAlias ? 8 * steps.writes : steps.writes), callers)
      }
    })

    it('in each part of a path', async () => {
      for (const { method, path } of withCapture()) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
        const requests = names.flatMap((name) =>
          Object.values(HOSTILE)
            .filter((json) => json.length < 10_000)
            .map((json) => {
              const value: unknown = JSON.parse(json)
              const written = encode(typeof value === 'string' ? value : json)
              return { method, path: `/wp-json${site.fill(path, { [name]: written })}` }
            }),
        )
        await sendAll(sample(requests), callers)
      }
    })

    // What follows is decided before a value gets to the database.
    if (kind !== 'sqlite') return

    it('in names of parameters', async () => {
      const all = [...NAMES.map((name) => `${name}=1`), '%', '%E0%A4%A', '&&&===', '?']
      for (const [at, { method, path }] of site.endpoints.entries()) {
        const url = `/wp-json${site.fill(path)}`
        // Two of them, others on the next route.
        const some = all.filter((_, index) => (index + at) % steps.writes < 2)
        await sendAll(
          some.map((query) => ({ method, path: `${url}?${query}` })),
          callers,
        )
      }
    })

    it('in the method, on routes that do not have it', async () => {
      for (const path of new Set(site.endpoints.map((endpoint) => endpoint.path))) {
        const known = writing().filter((endpoint) => endpoint.path === path)
        const methods = METHODS.filter((method) => !known.some((endpoint) => endpoint.method === method))
        const requests = methods.map((method) => ({ method, path: `/wp-json${site.fill(path)}` }))
        for (const caller of callers) await sendAll(requests, [caller])
      }
      for (const method of ['TRACE', 'nothing', '__proto__', '', '\t']) {
        const headers = { 'X-HTTP-Method-Override': method }
        await sendAll([{ method: 'POST', path: '/wp-json/wp/v2/posts', headers }], callers)
      }
    })
  }

  describe('of strangers changes nothing', () => {
    let plain: readonly string[]
    before(async () => {
      plain = await site.plainAnswers()
    })
    afterEach(async () => {
      expect(await site.plainAnswers()).to.deep.equal(plain)
    })
    describeInput(STRANGERS, { reads: 11, writes: 13 })
  })

  describe('of an administrator breaks nothing', () => {
    afterEach(async () => {
      expect(await site.vitalSigns()).to.deep.equal(alive)
    })
    describeInput(['administrator'], { reads: 5, writes: 9 })

    // They are stored in a file.
    if (kind !== 'sqlite') return
    it('in each setting', async () => {
      const names = site.settings.names()
      expect(names).to.include.members(['host', 'reading-time'])
      for (const name of names) {
        const settings = site.settings.get(name)
        const before = settings?.get() ?? {}
        for (const key of [...Object.keys(before), 'nobody', '__proto__']) {
          const sent = Object.values(HOSTILE).map((json) => ({
            method: 'PUT',
            path: `/wp-json/host/v1/settings/${name}`,
            headers: { 'Content-Type': 'application/json' },
            body: `{"settings":{${JSON.stringify(key)}:${json}}}`,
          }))
          await sendAll(sent, ['administrator'])
        }
        await settings?.update(before)
      }
    })
  })
}

type Sample = <Item>(items: readonly Item[], step?: number) => Item[]

/** Each value with each name, as many as the sample takes; what is made of them takes longer than to send it. */
function pairs(names: readonly string[], sample: Sample, step?: number) {
  const all = names.flatMap((name, turn) => Object.values(HOSTILE).map((json, at) => ({ name, json, turn: turn + at })))
  return sample(all, step)
}

function queries(path: string, names: readonly string[], sample: Sample, step?: number): Sent[] {
  return pairs(names, sample, step)
    .filter(({ json }) => json.length < 10_000)
    .map(({ name, json }) => ({ path: `${path}?${asForm(name, json)}` }))
    .filter(({ path: whole }) => whole.length < 12_000)
}

/** Hostile values in every parameter: in turn as JSON, in the query and as a form. */
function bodies(site: HostileSite, { method, path, parameters }: Endpoint, sample: Sample, step?: number): Sent[] {
  const url = `/wp-json${site.fill(path)}`
  const required = path === '/wp/v2/users' ? USER : REQUIRED
  return pairs([...parameters, 'nobody'], sample, step).map(({ name, json, turn }): Sent => {
    if (turn % 4 === 1) return { method, path: `${url}?${asForm(name, json).slice(0, 8000)}` }
    if (turn % 4 === 2) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return { method, path: url, headers, body: asForm(name, json) }
    }
    const others = parameters.filter((other) => other !== name && other in required)
    const fields = others.map((other) => `${JSON.stringify(other)}:${JSON.stringify(required[other])}`)
    const whole = `{${[...fields, `${JSON.stringify(name)}:${json}`].join()}}`
    return { method, path: url, headers: { 'Content-Type': 'application/json' }, body: whole }
  })
}

function describeRequest({ method = 'GET', path, body }: Sent): string {
  return `${method} ${path.slice(0, 200)} ${String(body ?? '').slice(0, 100)}`
}
