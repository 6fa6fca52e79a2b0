import type { IncomingMessage, ServerResponse } from 'node:http'
import { RestError } from '../errors.ts'
import type { TrustedProxies } from './client-address.ts'
import type { RequestHead } from './front.ts'

/** One year. Subdomains are excluded, because they may have no certificate. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

/** Enforces HTTPS for a site with an https URL. */
export interface TransportSecurity {
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the request reached a trusted proxy over plain HTTP. */
  isInsecure(request: RequestHead): boolean
  /**
   * Redirects a GET or HEAD that reached a trusted proxy over plain HTTP permanently to HTTPS.
   * @returns whether it responded
   */
  redirect(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Rejects any other request over plain HTTP: with a redirect, clients would silently send passwords unencrypted each time.
   * @throws RestError 403 `https_required`
   */
  rejectInsecure(request: IncomingMessage): void
}

/**
 * HTTP Strict Transport Security (RFC 6797) for a site with an https URL, and redirects for visitors over plain HTTP, if a trusted proxy
 * reports them (`X-Forwarded-Proto`). Does nothing for a site with an http URL.
 *
 * @param siteUrl public origin of the site
 */
export function createTransportSecurity(siteUrl: string, proxies: TrustedProxies): TransportSecurity {
  if (!siteUrl.startsWith('https:')) {
    return { headers: {}, isInsecure: () => false, redirect: () => false, rejectInsecure() {} }
  }
  const isInsecure = (request: RequestHead) => proxies.protocolOf(request) === 'http'
  const isSafe = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
  return {
    headers: { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY },
    isInsecure,
    redirect(request, response) {
      const { url = '/' } = request
      if (!isSafe(request) || !isInsecure(request)) return false
      // Appended to an origin: a path alone could start with two slashes, which would name another host.
      response.writeHead(301, { Location: siteUrl + url, 'Cache-Control': 'no-store', 'Content-Length': 0 })
      response.end()
      return true
    },
    rejectInsecure(request) {
      if (isSafe(request) || !isInsecure(request)) return
      const message = `This request must be sent over HTTPS: ${siteUrl}. It was sent over plain HTTP.`
      throw new RestError('https_required', message, { status: 403 }, { Connection: 'close' })
    },
  }
}
