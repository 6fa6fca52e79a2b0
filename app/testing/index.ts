/** The test kit for extension authors, imported as `pentad/testing`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { MailMessage } from '../../cms/mail/types.ts'
import { CHEAPEST } from '../../core/auth/password-hash.ts'
import type { ConfigInput } from '../../core/config.ts'
import type { Site } from '../create-site.ts'
import { type Serving, serve } from '../serve.ts'
import { createFakeClock, type FakeClock } from './clock.ts'
import { expectNoLeaks } from './leaks.ts'
import { createOutgoing, type OutgoingRequest, type Responder } from './outgoing.ts'
import { placeTables } from './tables.ts'

// The types of all hooks, for tests that import nothing else.
export type {} from '../index.ts'
export type { FakeClock, OutgoingRequest, Responder, Site }

export interface TestHostOptions {
  /** Files or folders of extensions to load and activate. */
  readonly extensions?: readonly string[]
  /** Whether the services, such as the page cache, run too. Default: none, so that an extension is tested in isolation. */
  readonly services?: boolean
  readonly config?: ConfigInput
  /** Non-public addresses that embeds may request, such as a server of the test. Default: none. */
  readonly isTrustedAddress?: (url: URL) => boolean
  /** Stops the clock at this time until `clock.advance`. */
  readonly now?: Date | string
}

export interface TestRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Role of the user to send the request as, authenticated with an application password. */
  readonly as?: string
}

/** A complete site in a temporary folder, listening on a free port. */
export interface TestHost {
  /** The current host; replacing the site, as a restore does, creates a new one. */
  readonly host: Site
  readonly url: string
  /** All sent mail, in order; nothing leaves the machine. */
  readonly mails: readonly MailMessage[]
  /** Every request sent through `host.fetch`, with and without a sandbox. */
  readonly requests: readonly OutgoingRequest[]
  /** Only with `now`. */
  readonly clock: FakeClock
  /** Responds to requests made through `host.fetch`, until undone. */
  respond(responder: Responder): () => void
  /** Sends a real HTTP request to the site; redirects are not followed. */
  request(path: string, request?: TestRequest): Promise<Response>
  get(path: string, request?: Omit<TestRequest, 'method' | 'body'>): Promise<Response>
  /** Reloads the extension's files, as saving a file does under `npm run dev`. */
  reload(id: string): Promise<void>
  /** Fails and lists everything that the extension leaves behind when it is deactivated. */
  expectNoLeaks(id: string): Promise<void>
  close(): Promise<void>
}

/**
 * Creates a site for a test, with WordPress's default content ("Hello world!") and the given extensions active.
 *
 * @example
 * ```ts
 * import { equal } from 'node:assert/strict'
 * import { createTestHost } from 'pentad/testing'
 *
 * const host = await createTestHost()
 * const response = await host.get('/wp-json/host/v1/health')
 * equal(response.status, 200)
 * await host.close()
 * ```
 */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const siteDir = await mkdtemp(join(tmpdir(), 'pentad-test-'))
  const clock = options.now === undefined ? undefined : createFakeClock(new Date(options.now))
  const outgoing = createOutgoing()
  const mails: MailMessage[] = []
  const credentials = new Map<string, Promise<string>>()
  let site: Serving
  try {
    await placeTables(siteDir, options.services ?? false)
    site = await serve(
      { siteDir, port: 0, logLevel: 'silent', ...options.config },
      {
        fetch: outgoing.fetch,
        runServices: options.services ?? false,
        passwordCost: CHEAPEST,
        isTrustedAddress: options.isTrustedAddress,
        async opened(host) {
          host.hooks.addFilter(
            'wp_mail',
            (message) => {
              mails.push(message)
              return message
            },
            Number.MAX_SAFE_INTEGER,
          )
          // A replaced site has its own users.
          for (const role of credentials.keys()) {
            if (!(await host.auth.users.getByLogin(`test-${role}`))) credentials.delete(role)
          }
          for (const path of options.extensions ?? []) await activate(host, path)
        },
      },
    )
  } catch (error) {
    clock?.[Symbol.dispose]()
    await rm(siteDir, { recursive: true, force: true })
    throw error
  }

  async function close(): Promise<void> {
    await site.close()
    clock?.[Symbol.dispose]()
    // Work that did not end in the time for closing may still write a file.
    await rm(siteDir, { recursive: true, force: true, maxRetries: 5 })
  }

  /** One user per role is enough; it is created on first use, and shared by concurrent requests. */
  function authorization(role: string): Promise<string> {
    const known = credentials.get(role)
    if (known) return known
    const made = makeUser(role)
    credentials.set(role, made)
    made.catch(() => credentials.delete(role))
    return made
  }

  async function makeUser(role: string): Promise<string> {
    const login = `test-${role}`
    const user = await site.host.auth.users.create({ login, email: `${login}@example.org`, roles: [role] })
    const { password } = await site.host.auth.applicationPasswords.create(user.id, 'test')
    return `Basic ${btoa(`${login}:${password}`)}`
  }

  const testHost: TestHost = {
    get host() {
      return site.host
    },
    url: site.url,
    mails,
    requests: outgoing.requests,
    get clock() {
      if (!clock) throw new Error('Give createTestHost a `now` to move the clock.')
      return clock
    },
    respond: outgoing.respond,
    async request(path, { method = 'GET', headers = {}, body, as } = {}) {
      return fetch(new URL(path, site.url), {
        method,
        redirect: 'manual',
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(as !== undefined && { Authorization: await authorization(as) }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    },
    get: (path, request = {}) => testHost.request(path, request),
    async reload(id) {
      await site.host.extensions.reload(id)
    },
    expectNoLeaks: (id) => expectNoLeaks(site.host, id),
    close,
  }
  return testHost
}

/** Adds and activates one extension from a path. */
async function activate(host: Site, path: string): Promise<void> {
  const id = await host.extensions.add(path)
  const report = await host.extensions.activate(id)
  if (report.state !== 'active') throw new Error(`${basename(path)} could not be activated: ${report.reason}`)
}
