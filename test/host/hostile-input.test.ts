import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import type { Sent } from '../support/send.ts'
import { CALLERS, type Endpoint, type HostileSite, openHostileSite } from './hostile-site.ts'
import { asForm, encode, HOSTILE } from './hostile-values.ts'

/** What every route understands beside its own parameters. */
const GLOBAL = ['_fields', '_embed', '_envelope', '_method', '_wpnonce', '_locale', 'per_page', 'perPage', 'nobody']

/** What must be there besides the hostile parameter for it to be looked at. */
const REQUIRED: Readonly<Record<string, unknown>> = { name: 'A name', settings: {}, requests: [], key: 'a.b' }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'SEARCH', 'LOCK']

onEachDatabase('bad input on every route', (databaseUrl) => {
  let site: HostileSite
  let plain: readonly string[]
  let complaints: string[] = []
  before(async function () {
    this.timeout(60_000)
    site = await openHostileSite(await databaseUrl())
    plain = await site.plainAnswers()
  })
  after(() => site.close())
  afterEach(async () => {
    const found = complaints.splice(0, 30)
    complaints = []
    expect(found).to.deep.equal([])
    expect(Object.keys(Object.prototype)).to.deep.equal([])
    expect('polluted' in {}).to.equal(false)
    expect(await site.plainAnswers()).to.deep.equal(plain)
  })

  /** Sends all, a few at a time, each as one of the callers or as the given one. */
  async function sendAll(sent: readonly Sent[], as?: (typeof CALLERS)[number]): Promise<void> {
    for (let at = 0; at < sent.length; at += 8) {
      await Promise.all(
        sent.slice(at, at + 8).map(async (one, offset) => {
          const caller = as ?? CALLERS[(at + offset) % CALLERS.length] ?? 'visitor'
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

  it('in each parameter of a reading route, by query', async () => {
    for (const endpoint of reading()) {
      await site.putBack()
      const path = `/wp-json${site.fill(endpoint.path)}`
      const requests = endpoint.parameters.flatMap((name) => queries(path, name))
      await sendAll(requests, 'administrator')
      await sendAll(requests.filter((_, at) => at % 5 === 0))
    }
  }).timeout(120_000)

  it('in what every route understands', async () => {
    for (const [at, { path, method }] of site.endpoints.entries()) {
      const requests = queries(`/wp-json${site.fill(path)}`, GLOBAL[at % GLOBAL.length] ?? '')
      await sendAll(requests.map((request) => ({ ...request, method })))
    }
  }).timeout(120_000)

  it('in each parameter of a writing route, by JSON, form and query', async () => {
    for (const endpoint of writing()) {
      await site.putBack()
      await sendAll(bodies(site, endpoint), 'administrator')
      await sendAll(bodies(site, endpoint).filter((_, at) => at % 3 === 0))
    }
  }).timeout(120_000)

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
        await sendAll(sent, 'administrator')
      }
      await settings?.update(before)
    }
  }).timeout(60_000)

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
      await sendAll(requests, 'administrator')
    }
  }).timeout(120_000)

  it('in names of parameters', async () => {
    const names = [
      'a[__proto__][x]',
      '__proto__[x]',
      'constructor[prototype][x]',
      '__proto__',
      'a[]',
      'a[b',
      '[',
      ']',
      '',
    ]
    const deep = `a${'[b]'.repeat(1000)}`
    for (const { method, path } of site.endpoints) {
      const url = `/wp-json${site.fill(path)}`
      const asked = [...names, deep, '%00', 'context[]', 'per_page[a]', 'hasOwnProperty'].map((name) => `${name}=1`)
      await sendAll([...asked, '%', '%E0%A4%A', '&&&===', '?'].map((query) => ({ method, path: `${url}?${query}` })))
    }
  }).timeout(120_000)

  it('in the method, on routes that do not have it', async () => {
    for (const path of new Set(site.endpoints.map((endpoint) => endpoint.path))) {
      for (const caller of CALLERS) {
        const known = new Set(
          writing()
            .filter((endpoint) => endpoint.path === path)
            .map(({ method }) => method),
        )
        const methods = METHODS.filter((method) => !known.has(method))
        await sendAll(
          methods.map((method) => ({ method, path: `/wp-json${site.fill(path)}` })),
          caller,
        )
      }
    }
    for (const method of ['TRACE', 'nothing', '__proto__', '', '\t']) {
      await sendAll([{ method: 'POST', path: '/wp-json/wp/v2/posts', headers: { 'X-HTTP-Method-Override': method } }])
    }
  }).timeout(120_000)
})

function queries(path: string, name: string): Sent[] {
  return Object.values(HOSTILE)
    .map((json) => ({ path: `${path}?${asForm(name, json)}` }))
    .filter(({ path: whole }) => whole.length < 12_000)
}

/** Every hostile value in every parameter: as JSON; every third as a form too, every third in the query. */
function bodies(site: HostileSite, { method, path, parameters }: Endpoint): Sent[] {
  const url = `/wp-json${site.fill(path)}`
  return [...parameters, 'nobody'].flatMap((name) =>
    Object.values(HOSTILE).flatMap((json, at) => {
      const others = parameters.filter((other) => other !== name && other in REQUIRED)
      const fields = others.map((other) => `${JSON.stringify(other)}:${JSON.stringify(REQUIRED[other])}`)
      const whole = `{${[...fields, `${JSON.stringify(name)}:${json}`].join()}}`
      const form = asForm(name, json)
      const sent: Sent[] = [{ method, path: url, headers: { 'Content-Type': 'application/json' }, body: whole }]
      if (at % 3 === 1) sent.push({ method, path: `${url}?${form.slice(0, 8000)}` })
      if (at % 3 === 2)
        sent.push({ method, path: url, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: form })
      return sent
    }),
  )
}

function describeRequest({ method = 'GET', path, body }: Sent): string {
  return `${method} ${path.slice(0, 200)} ${String(body ?? '').slice(0, 100)}`
}
