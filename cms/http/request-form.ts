import type { IncomingMessage } from 'node:http'
import { RestError } from '../../core/errors.ts'

/** Maximum size of a form without content, in bytes. */
const FORM_LIMIT = 64 * 1024

/**
 * Parses the fields of a form post (`application/x-www-form-urlencoded`).
 * @param limit maximum size in bytes
 * @throws RestError 413 `rest_request_too_large`
 */
export async function readForm(request: IncomingMessage, limit = FORM_LIMIT): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) throw tooLong()
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** The rest of the form is not read, so the connection is closed after the response. */
function tooLong(): RestError {
  const message = 'Request body too large.'
  return new RestError('rest_request_too_large', message, { status: 413 }, { Connection: 'close' })
}

/**
 * Whether a request was sent by a page of this site, so that other sites cannot act for its visitors (OWASP, Cross-Site Request Forgery:
 * Fetch Metadata and the Origin header). Programs send neither header and have no visitor to impersonate. The `Host` header is accepted in
 * addition to the configured URL: the site may also be open under `localhost`, and a page of another site cannot set it.
 *
 * @param request a route's request, including in `access`, or Node's
 */
export function isOwnForm({ headers }: Pick<IncomingMessage, 'headers'>, siteUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return false
  const { origin, host } = headers
  if (origin === undefined) return true
  const from = URL.parse(origin)
  return from !== null && (from.origin === new URL(siteUrl).origin || from.host === host)
}

/** The path of a URL of this site, or the fallback, to prevent open redirects. */
export function localTarget(target: string | null | undefined, siteUrl: string, fallback: string): string {
  if (!target) return fallback
  const url = URL.parse(target, siteUrl)
  if (!url || url.origin !== new URL(siteUrl).origin) return fallback
  // A path with two leading slashes would be a host name.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}
