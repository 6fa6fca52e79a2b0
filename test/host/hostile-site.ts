import type { SettingsRegistry } from '../../core/options/types.ts'
import { openSender, type Received, type Sent } from '../support/send.ts'
import { openGazette } from '../wp-v2/gazette.ts'

/** Who asks. */
export const CALLERS = ['visitor', 'subscriber', 'administrator'] as const
export type Caller = (typeof CALLERS)[number]

/** One method of one path of the REST API, as the host itself reports it. */
export interface Endpoint {
  readonly method: string
  /** `/wp/v2/posts/{id}` */
  readonly path: string
  /** Names of the parameters that it declares, those of the path left out. */
  readonly parameters: readonly string[]
}

export interface HostileSite {
  readonly settings: SettingsRegistry
  readonly endpoints: readonly Endpoint[]
  /** The path with every capture filled by something that exists, those of `captures` by what is given. */
  fill(path: string, captures?: Readonly<Record<string, string>>): string
  send(caller: Caller, sent: Sent): Promise<Received>
  /** What is wrong with an answer to bad input; `undefined` if nothing is. */
  complaint(answer: Received): string | undefined
  /** Makes again what some requests take away, as they may: a password, an extension that is active. */
  putBack(): Promise<void>
  /** Plain requests and their answers: they must be the same after anything. */
  plainAnswers(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The imported export on a host that listens, with the extensions that come with it. */
export async function openHostileSite(databaseUrl?: string): Promise<HostileSite> {
  const site = await openGazette(databaseUrl)
  const { auth, rest, extensions, settings } = site.host
  const victim = await auth.users.create({ login: 'victim', email: 'victim@example.org', roles: ['author'] })
  let passwords = 0
  const authorization: Record<Caller, string | undefined> = {
    visitor: undefined,
    subscriber: await site.signIn('reader', 'subscriber'),
    administrator: await site.signIn('admin', 'administrator'),
  }
  const sender = openSender(site.url)
  await extensions.activate('reading-time')
  const existing: Record<string, string> = {
    user_id: String(victim.id),
    plugin: 'host',
    extension: 'host',
    type: 'post',
    taxonomy: 'category',
    status: 'publish',
  }

  async function firstId(list: string): Promise<string> {
    if (list.startsWith('/host/v1/extensions')) return 'reading-time'
    const { items } = await site.get(`${list}?per_page=1`)
    return String(items[0]?.id ?? 'none')
  }

  const index: { routes: Record<string, { endpoints: { methods: string[]; args: object }[] }> } = JSON.parse(
    (await site.get('/')).text,
  )
  /** The index writes `{id}` as PHP's `(?P<id>…)`. */
  const named = new Map(
    Object.entries(index.routes).map(([path, { endpoints }]) => [
      path.replace(/\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])*\)/g, '{$1}'),
      endpoints,
    ]),
  )
  const endpoints = rest.routes().flatMap(({ path, methods }) =>
    methods.map((method) => {
      const args = named.get(path)?.find((endpoint) => endpoint.methods.includes(method))?.args
      if (!args) throw new Error(`the index does not name ${method} ${path}`)
      return { method, path, parameters: Object.keys(args).filter((name) => !path.includes(`{${name}}`)) }
    }),
  )
  const ids = new Map<string, string>()
  for (const { path } of endpoints) {
    const list = path.split('/{id}')[0] ?? ''
    if (path.includes('/{id}') && !ids.has(list)) ids.set(list, await firstId(list))
  }

  const send: HostileSite['send'] = (caller, sent) => {
    const credentials = authorization[caller]
    return sender.send({ ...sent, headers: { ...(credentials && { Authorization: credentials }), ...sent.headers } })
  }

  const hostile: HostileSite = {
    settings,
    endpoints,
    fill: (path, captures = {}) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        return captures[name] ?? existing[name] ?? ids.get(path.split('/{id}')[0] ?? '') ?? 'none'
      }),
    send,
    complaint,
    async putBack() {
      await extensions.activate('reading-time')
      const made = await auth.applicationPasswords.create(victim.id, `test ${++passwords}`)
      existing.uuid = made.uuid
    },
    async plainAnswers() {
      await hostile.putBack()
      const paths = ['/wp-json/wp/v2/posts?per_page=5', '/wp-json/wp/v2/pages', '/wp-json/wp/v2/types', '/', '/feed/']
      const answers = await Promise.all(paths.map((path) => send('visitor', { path })))
      return answers.map(({ status, text }) => `${status} ${text}`)
    },
    async close() {
      sender.close()
      await site.close()
    },
  }
  await hostile.putBack()
  return hostile
}

/** No answer is a bug of ours, each is JSON, and a refusal says which and why (contract 1). */
function complaint({ status, headers, text }: Received): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (status === 304 || status === 204 || text === '') return undefined
  if (!String(headers['content-type']).startsWith('application/json')) return `${status} is no JSON`
  const body: unknown = JSON.parse(text)
  if (status === 207) return /"status":5\d\d/.test(text) ? text.slice(0, 200) : undefined
  if (status < 400) return undefined
  const { code, message, data } = toRefusal(body)
  const isWhole = typeof code === 'string' && typeof message === 'string' && data?.status === status
  return isWhole ? undefined : `${status} without code, message or status: ${text.slice(0, 200)}`
}

function toRefusal(body: unknown): { code?: unknown; message?: unknown; data?: { status?: unknown } } {
  return typeof body === 'object' && body !== null ? body : {}
}
