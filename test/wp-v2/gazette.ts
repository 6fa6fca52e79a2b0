import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createSite, type Site } from '../../app/create-site.ts'
import { importWxr } from '../../cms/content/import/index.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

export interface Gazette {
  readonly host: Site
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** `GET` below the REST root, as a visitor or with a value of `Authorization`. */
  get(path: string, as?: string): Promise<Answer>
  /** Makes a user with an application password; answers the value of `Authorization`. */
  signIn(login: string, role: string): Promise<string>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** The body as an object. */
  readonly item: Readonly<Record<string, unknown>>
  /** The body as a list. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

/** The real WordPress export of the fixtures, imported into a host that listens. */
export async function openGazette(databaseUrl?: string): Promise<Gazette> {
  const siteDir = temporaryFolder()
  const host = await createSite(
    { siteDir, port: 0, logLevel: 'silent', adminPassword: 'admin-password', databaseUrl },
    { runServices: false, passwordCost: CHEAPEST },
  )
  const uploadsDir = temporaryFolder()
  execFileSync('tar', ['xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', uploadsDir])
  const { content, auth, options, database, hooks, config, log } = host
  const file = join(FIXTURES, 'wordpress-export.xml')
  await importWxr({ files: [file], uploadsDir, content, users: auth.users, options, database, hooks, config, log })
  const url = await host.listen()
  let signedIn = 0

  return {
    host,
    url,
    get: (path, as) => get(`${url}/wp-json${path}`, as),
    async signIn(login, role) {
      const known = await auth.users.getByLogin(login)
      const user = known ?? (await auth.users.create({ login, email: `${login}@example.org`, roles: [role] }))
      const { password } = await auth.applicationPasswords.create(user.id, `test ${++signedIn}`)
      return `Basic ${btoa(`${login}:${password}`)}`
    },
    close: () => host.close(),
  }
}

async function get(url: string, as: string | undefined): Promise<Answer> {
  const response = await fetch(url, { headers: as === undefined ? {} : { authorization: as } })
  const text = await response.text()
  const body: unknown = JSON.parse(text)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    get item() {
      return toObject(body)
    },
    get items() {
      return Array.isArray(body) ? body.map(toObject) : []
    },
  }
}

/** A part of an answer as an object; an empty one if it is none. */
export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** The ids of a list. */
export function ids(answer: Answer): number[] {
  return answer.items.map((item) => Number(item.id))
}
