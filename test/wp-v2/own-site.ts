import { createSite, type Site } from '../../app/create-site.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import type { ConfigInput } from '../../core/config.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { toObject } from './gazette.ts'

/** Of every user that `signIn` makes; the administrator's is `admin-password`. */
export const PASSWORD = 'correct horse battery'

/** A value of `Authorization`, or what a browser sends. */
export type As = string | SessionHeaders

export interface OwnSite {
  readonly host: Site
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Asks below the REST root: `ask('POST /wp/v2/tags', { name: 'x' }, as)`. */
  ask(route: string, body?: unknown, as?: As): Promise<Told>
  /** Status of an answer, and the code of a refusal: `403 rest_cannot_edit`. */
  outcome(route: string, body?: unknown, as?: As): Promise<string>
  /** Makes a user with an application password, if there is none of that login; answers the value of `Authorization`. */
  signIn(login: string, role: string): Promise<string>
  /** A browser with a new session of an existing user, who has just given the password again. */
  browser(login: string, password?: string): Promise<SessionHeaders>
  idOf(login: string): Promise<number>
  close(): Promise<void>
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** The body as an object. */
  readonly item: Readonly<Record<string, unknown>>
}

/** A new site that listens; its administrator is `admin`. */
export async function openOwnSite(databaseUrl?: string, config: ConfigInput = {}): Promise<OwnSite> {
  const host = await createSite(
    {
      ...{ siteDir: temporaryFolder(), port: 0, logLevel: 'silent', adminPassword: 'admin-password', databaseUrl },
      ...config,
    },
    { runServices: false, passwordCost: CHEAPEST },
  )
  const url = await host.listen()
  const { auth } = host
  let signedIn = 0

  async function ask(route: string, body?: unknown, as?: As): Promise<Told> {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${url}/wp-json${path}`, {
      method,
      headers: {
        ...(typeof as === 'string' ? { authorization: as } : as),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const told: unknown = await response.json()
    return { status: response.status, headers: response.headers, body: told, item: toObject(told) }
  }

  return {
    host,
    url,
    ask,
    async outcome(route, body, as) {
      const { status, item } = await ask(route, body, as)
      return status < 400 ? String(status) : `${status} ${String(item.code)}`
    },
    async signIn(login, role) {
      const known = await auth.users.getByLogin(login)
      const email = `${login}@example.org`
      const user = known ?? (await auth.users.create({ login, email, roles: [role], password: PASSWORD }))
      const { password } = await auth.applicationPasswords.create(user.id, `test ${++signedIn}`)
      return `Basic ${btoa(`${login}:${password}`)}`
    },
    async browser(login, password = PASSWORD) {
      const user = await auth.users.getByLogin(login)
      if (!user) throw new Error(`There is no user ${login}.`)
      return openSession(auth, user, password)
    },
    idOf: async (login) => (await auth.users.getByLogin(login))?.id ?? 0,
    close: () => host.close(),
  }
}

/** A new site for the tests of a `describe`: it opens before the first of them and closes after the last. */
export function useOwnSite(databaseUrl: () => Promise<string | undefined> = async () => undefined): OwnSite {
  let opened: OwnSite | undefined
  before(async () => {
    opened = await openOwnSite(await databaseUrl())
  })
  after(() => opened?.close())

  function site(): OwnSite {
    if (!opened) throw new Error('The site opens when the tests begin.')
    return opened
  }

  return {
    get host() {
      return site().host
    },
    get url() {
      return site().url
    },
    ask: (...asked) => site().ask(...asked),
    outcome: (...asked) => site().outcome(...asked),
    signIn: (...user) => site().signIn(...user),
    browser: (...user) => site().browser(...user),
    idOf: (login) => site().idOf(login),
    close: () => site().close(),
  }
}
