import type { SettingsRegistry } from '../../core/options/types.ts'
import { openSender, type Received, type Sent } from '../support/send.ts'
import { openGazette, toObject } from '../wp-v2/gazette.ts'
import { jpeg } from '../wp-v2/media-site.ts'

/** Who asks. */
export const CALLERS = ['visitor', 'subscriber', 'administrator'] as const
export type Caller = (typeof CALLERS)[number]
/** Those of them whose writes leave the site as it was. */
export const STRANGERS: readonly Caller[] = ['visitor', 'subscriber']

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
  /** Makes again what some requests take away, as they may: a post, a user, a password, an extension that is active. */
  putBack(): Promise<void>
  /** Plain requests and their answers: they must be the same whatever strangers sent. */
  plainAnswers(): Promise<readonly string[]>
  /** What must be the same whatever an administrator wrote: all pages answer, everybody is who they were, posts can be made. */
  vitalSigns(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The imported export on a host that listens, with the extensions that come with it. */
export async function openHostileSite(databaseUrl?: string): Promise<HostileSite> {
  const site = await openGazette(databaseUrl)
  const { auth, rest, extensions, settings, content } = site.host
  const siteSettings = content.siteSettings()
  const victim = await auth.users.create({ login: 'victim', email: 'victim@example.org', roles: ['author'] })
  let made = 0
  const authorization: Record<Caller, string | undefined> = {
    visitor: undefined,
    subscriber: await site.signIn('reader', 'subscriber'),
    administrator: await site.signIn('admin', 'administrator'),
  }
  const sender = openSender(site.url)
  await extensions.activate('reading-time')
  content.registerBlockType('core/get-user-info', { renderCallback: () => '' })
  const existing: Record<string, string> = {
    user_id: String(victim.id),
    plugin: 'host',
    extension: 'host',
    type: 'post',
    taxonomy: 'category',
    status: 'publish',
    namespace: 'core',
    name: 'get-user-info',
    slug: 'site',
    location: 'primary',
    stylesheet: 'default',
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
  /** What `{id}` is, by the path before it. */
  const ids = new Map([['/host/v1/extensions', 'reading-time']])
  for (const list of LISTS) ids.set(list, String((await site.get(`${list}?per_page=1`)).items[0]?.id ?? 'none'))
  ids.set('/wp/v2/users', String(victim.id))

  const send: HostileSite['send'] = (caller, sent) => {
    const credentials = authorization[caller]
    return sender.send({ ...sent, headers: { ...(credentials && { Authorization: credentials }), ...sent.headers } })
  }

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    return send('administrator', {
      method,
      path: `/wp-json${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  /** Makes a thing whose kind is what the path lists, over REST; answers its id. */
  async function make(list: string): Promise<string> {
    const name = `thing-${++made}`
    if (list === '/wp/v2/media') {
      const headers = { 'Content-Type': 'image/jpeg', 'Content-Disposition': `attachment; filename="${name}.jpg"` }
      const path = `/wp-json${list}`
      return idOf(await send('administrator', { method: 'POST', path, headers, body: await jpeg(40, 30) }))
    }
    const text = { title: name, content: `Text of ${name}` }
    if (list === '/wp/v2/comments')
      return idOf(await ask('POST', list, { post: Number(ids.get('/wp/v2/posts')), content: name }))
    if (list === '/wp/v2/users') {
      const user = { username: name, email: `${name}@example.org`, password: `${name}-password`, roles: ['author'] }
      return idOf(await ask('POST', list, user))
    }
    if (list === '/wp/v2/menu-items')
      return idOf(
        await ask('POST', list, { title: name, url: '/', menus: Number(ids.get('/wp/v2/menus')), status: 'publish' }),
      )
    if (list.endsWith('/revisions')) {
      await ask('POST', list.replace(/\/revisions$/, ''), text)
      return idOf(await ask('GET', `${list}?per_page=1`))
    }
    const isText = /\/(?:posts|pages|blocks|navigation|autosaves)$/.test(list)
    return idOf(await ask('POST', list, isText ? { ...text, status: 'publish' } : { name }))
  }

  const hostile: HostileSite = {
    settings,
    endpoints,
    fill: (path, captures = {}) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        return captures[name] ?? capture(path, name)
      }),
    send,
    complaint,
    async putBack() {
      await content.updateSiteSettings(siteSettings)
      await extensions.activate('reading-time')
      for (const list of LISTS) {
        const path = list.replace('{parent}', capture(list, 'parent'))
        const { status, text } = await ask('GET', `${path}/${ids.get(list)}?context=edit&_fields=id,status`)
        if (status !== 200 || JSON.parse(text).status === 'trash') ids.set(list, await make(path))
      }
      existing.user_id = ids.get('/wp/v2/users') ?? 'none'
      const password = await auth.applicationPasswords.create(Number(existing.user_id), `test ${++made}`)
      existing.uuid = password.uuid
    },
    async plainAnswers() {
      await hostile.putBack()
      const answers = await Promise.all(PLAIN.map((path) => send('visitor', { path })))
      return answers.map(({ status, text }) => `${status} ${text}`)
    },
    async vitalSigns() {
      await hostile.putBack()
      const signs = PLAIN.map(async (path) => {
        const { status, headers, text } = await send('visitor', { path })
        if (path.startsWith('/wp-json')) JSON.parse(text)
        return `${path}: ${status} ${headers['content-type']}`
      })
      for (const caller of CALLERS) {
        const { text } = await send(caller, { path: '/wp-json/wp/v2/users/me?context=edit' })
        const { username, roles, code } = toObject(JSON.parse(text))
        signs.push(Promise.resolve(`${caller}: ${username ?? code} ${roles ?? ''}`))
      }
      const id = await make('/wp/v2/posts')
      const { status, text } = await send('visitor', { path: `/wp-json/wp/v2/posts/${id}` })
      signs.push(Promise.resolve(`a new post: ${status}, ${String(toObject(JSON.parse(text)).id) === id}`))
      const page = await send('visitor', { path: new URL(String(toObject(JSON.parse(text)).link)).pathname })
      signs.push(Promise.resolve(`its page: ${page.status}, ${page.text.includes(`Text of thing-${made}`)}`))
      await ask('DELETE', `/wp/v2/posts/${id}?force=true`)
      return Promise.all(signs)
    },
    async close() {
      sender.close()
      await site.close()
    },
  }
  function capture(path: string, name: string): string {
    if (name === 'parent') return ids.get(path.split('/{parent}')[0] ?? '') ?? 'none'
    if (name === 'plugin' && path.startsWith('/wp/v2/plugins')) return 'reading-time'
    return existing[name] ?? ids.get(path.split('/{id}')[0] ?? '') ?? 'none'
  }

  await hostile.putBack()
  return hostile
}

/** What is asked for to see whether the site is well. */
const PLAIN = ['/wp-json/wp/v2/posts?per_page=5', '/wp-json/wp/v2/pages', '/wp-json/wp/v2/types', '/', '/feed/']

/** Lists of what requests name by an id, that of a parent before its children. */
const LISTS = [
  ...['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments', 'menus', 'menu-items'],
  ...['blocks', 'navigation', 'wp_pattern_category'],
  ...['posts', 'pages', 'blocks', 'navigation'].flatMap((name) => [
    `${name}/{parent}/revisions`,
    `${name}/{parent}/autosaves`,
  ]),
].map((list) => `/wp/v2/${list}`)

function idOf({ status, text }: Received): string {
  const body: unknown = JSON.parse(text)
  const { id } = toObject(Array.isArray(body) ? body[0] : body)
  if (typeof id !== 'number') throw new Error(`nothing was made: ${status} ${text.slice(0, 200)}`)
  return String(id)
}

/** What this site never does is no failure: WordPress's own status for it, with its code. */
const NEVER = ['rest_trash_not_supported', 'rest_cannot_install_plugin', 'rest_cannot_delete_plugin']

/** No answer is a bug of ours, each is JSON, and a refusal says which and why (contract 1). */
export function complaint({ status, headers, text }: Received): string | undefined {
  const isDeliberate = status === 501 && NEVER.includes(String(toRefusal(JSON.parse(text)).code))
  if (status >= 500 && !isDeliberate) return `${status} ${text.slice(0, 200)}`
  if (status === 304 || status === 204 || text === '') return undefined
  // A download, `host/v1/export`.
  if (status === 200 && String(headers['content-disposition']).startsWith('attachment')) return undefined
  if (!/^application\/(?:[\w.-]+\+)?json\b/.test(String(headers['content-type']))) return `${status} is no JSON`
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
