import { CHEAPEST } from '../../core/auth/password-hash.ts'
import type { ConfigInput } from '../../core/config.ts'
import { createHost, type Host } from '../../core/host.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { toObject } from './gazette.ts'

export interface OwnSite {
  readonly host: Host
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Asks below the REST root: `ask('POST /wp/v2/tags', { name: 'x' }, as)`; `as` is a value of `Authorization`. */
  ask(route: string, body?: unknown, as?: string): Promise<Told>
  /** Status of an answer, and the code of a refusal: `403 rest_cannot_edit`. */
  outcome(route: string, body?: unknown, as?: string): Promise<string>
  /** Makes a user with an application password, if there is none of that login; answers the value of `Authorization`. */
  signIn(login: string, role: string): Promise<string>
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
  const host = await createHost(
    {
      ...{ siteDir: temporaryFolder(), port: 0, logLevel: 'silent', adminPassword: 'admin-password', databaseUrl },
      ...config,
    },
    { runServices: false, passwordCost: CHEAPEST },
  )
  const url = await host.listen()
  const { auth } = host
  let signedIn = 0

  async function ask(route: string, body?: unknown, as?: string): Promise<Told> {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${url}/wp-json${path}`, {
      method,
      headers: {
        ...(as !== undefined && { authorization: as }),
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
      const user = known ?? (await auth.users.create({ login, email: `${login}@example.org`, roles: [role] }))
      const { password } = await auth.applicationPasswords.create(user.id, `test ${++signedIn}`)
      return `Basic ${btoa(`${login}:${password}`)}`
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
    idOf: (login) => site().idOf(login),
    close: () => site().close(),
  }
}
