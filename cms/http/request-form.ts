import type { IncomingMessage } from 'node:http'
import { RestError } from '../../core/errors.ts'

/** Bytes of a form that holds no text to publish. */
const FORM_LIMIT = 64 * 1024

/**
 * Fields of a form post (`application/x-www-form-urlencoded`).
 * @param limit bytes that it may have
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

/** The rest of the form is not read, so the connection ends with the answer: another request on it would never get one. */
function tooLong(): RestError {
  const message = 'Request body too large.'
  return new RestError('rest_request_too_large', message, { status: 413 }, { Connection: 'close' })
}

/**
 * Whether a form or a script's request was sent by a page of this site, so that no other site acts for its visitors
 * (OWASP, Cross-Site Request Forgery: Fetch Metadata and the Origin header). Programs send neither header and have no
 * visitor to harm. The `Host` is believed beside the configured URL: the site may be open under `localhost` too, and
 * another site's page can't choose it.
 *
 * @param request a route's, in its `access` too, or Node's
 */
export function isOwnForm({ headers }: Pick<IncomingMessage, 'headers'>, siteUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return false
  const { origin, host } = headers
  if (origin === undefined) return true
  const from = URL.parse(origin)
  return from !== null && (from.origin === new URL(siteUrl).origin || from.host === host)
}

/** The path of a URL of this site; the fallback for any other, so that nobody is sent elsewhere from here. */
export function localTarget(target: string | null | undefined, siteUrl: string, fallback: string): string {
  if (!target) return fallback
  const url = URL.parse(target, siteUrl)
  if (!url || url.origin !== new URL(siteUrl).origin) return fallback
  // A path of two slashes would be the name of a host.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}
