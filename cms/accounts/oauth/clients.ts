import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { oneLine } from '../../../core/auth/text.ts'
import { toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { OAuthError } from './errors.ts'

/** Days after which an application that no user has authorized is deleted. */
const UNUSED_DAYS = 1
/** Schemes that run code or show content in the browser, rather than open an application. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:'])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const redirectUri = z.string().max(2000).refine(isAllowedRedirect)
/** The metadata that matters here; other members are ignored (RFC 7591, 2). */
const metadataSchema = z.object({
  redirect_uris: z.array(redirectUri).min(1).max(10),
  client_name: z.string().max(200).optional(),
})
const redirectUris = z.array(z.string())

export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export interface RegisteredClient extends OAuthClient {
  /** Seconds since the epoch (RFC 7591, 3.2.1). */
  readonly issuedAt: number
}

/** Applications that register themselves (RFC 7591). They are public clients: a secret on the user's device would be none. */
export function createClients({ db }: Pick<Database, 'db'>, now: () => number) {
  return {
    /** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata` */
    async register(metadata: unknown): Promise<RegisteredClient> {
      const { data, error } = metadataSchema.safeParse(metadata)
      if (!data) throw invalidMetadata(error)
      const name = oneLine(data.client_name ?? '') || URL.parse(data.redirect_uris[0] ?? '')?.host || 'MCP client'
      const [id, moment] = [randomUUID(), now()]
      await db
        .insertInto('oauth_clients')
        .values({ id, name, redirect_uris: JSON.stringify(data.redirect_uris), created_gmt: toGmt(moment) })
        .execute()
      return { id, name, redirectUris: data.redirect_uris, issuedAt: Math.floor(moment / 1000) }
    },
    /** @throws OAuthError `invalid_client` */
    async find(id: string): Promise<OAuthClient> {
      const row = await db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) throw new OAuthError('invalid_client', 'The application is not registered. Please connect it again.')
      return { id: row.id, name: row.name, redirectUris: redirectUris.parse(JSON.parse(row.redirect_uris)) }
    },
    /** Deletes applications that no user has authorized, because anyone can register them. */
    async prune(): Promise<void> {
      await db
        .deleteFrom('oauth_clients')
        .where('created_gmt', '<', toGmt(now() - UNUSED_DAYS * 86_400_000))
        .where('id', 'not in', db.selectFrom('oauth_grants').select('client_id'))
        .execute()
    },
  }
}

function invalidMetadata({ issues }: z.ZodError): OAuthError {
  const isAboutUris = issues.some(({ path: [first] }) => first === 'redirect_uris')
  return isAboutUris
    ? new OAuthError(
        'invalid_redirect_uri',
        'Register 1 to 10 redirect URIs that use HTTPS, a private-use URI scheme, or HTTP on the loopback interface, without a fragment.',
      )
    : new OAuthError('invalid_client_metadata', 'The client name must be a string of at most 200 characters.')
}

/** RFC 8252, 7; RFC 9700, 2.6. */
function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || DANGEROUS.has(url.protocol)) return false
  return url.hash === '' && url.username === '' && (url.protocol !== 'http:' || LOOPBACK.has(url.hostname))
}

/** Whether an application may receive codes at this URL. @throws OAuthError `invalid_redirect_uri` */
export function checkRedirect({ redirectUris }: Pick<OAuthClient, 'redirectUris'>, requested: string): void {
  if (redirectUris.some((registered) => isSameRedirect(registered, requested))) return
  throw new OAuthError('invalid_redirect_uri', 'This redirect URI is not registered for the application.')
}

/** Exact, but applications on the user's device listen on any port (RFC 8252, 7.3). */
function isSameRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const [one, other] = [URL.parse(registered), URL.parse(requested)]
  if (!one || !other || one.protocol !== 'http:' || !LOOPBACK.has(one.hostname)) return false
  one.port = other.port
  return one.href === other.href
}
