import type { IncomingMessage, ServerResponse } from 'node:http'
import { RestError } from '../errors.ts'
import type { TrustedProxies } from './client-address.ts'

/** A year, the least that browsers' preload lists ask for. Subdomains are other sites, which may have no certificate. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

/** Keeps a site whose URL is https on HTTPS. */
export interface TransportSecurity {
  /** What every answer carries. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Answers a GET or HEAD that reached a trusted proxy over plain HTTP with a permanent redirect to HTTPS.
   * @returns whether it has answered
   */
  redirect(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Refuses any other request that came that way: a redirect would make clients send a password over plain HTTP each time,
   * and nobody would notice. @throws RestError 403 `https_required`
   */
  refuse(request: IncomingMessage): void
}

/**
 * HTTP Strict Transport Security (RFC 6797) for a site whose URL is https, and the way there for visitors who still come
 * over plain HTTP, as far as a trusted proxy tells (`X-Forwarded-Proto`). Does nothing for a site whose URL is http.
 *
 * @param siteUrl public origin of the site
 */
export function createTransportSecurity(siteUrl: string, proxies: TrustedProxies): TransportSecurity {
  if (!siteUrl.startsWith('https:')) return { headers: {}, redirect: () => false, refuse() {} }
  const isPlain = (request: IncomingMessage) => proxies.protocolOf(request) === 'http'
  const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
  return {
    headers: { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY },
    redirect(request, response) {
      const { url = '/' } = request
      if (!isRead(request) || !isPlain(request)) return false
      // The path alone could begin with two slashes, which would name another host: it is appended to an origin.
      response.writeHead(301, { Location: siteUrl + url, 'Cache-Control': 'no-store', 'Content-Length': 0 })
      response.end()
      return true
    },
    refuse(request) {
      if (isRead(request) || !isPlain(request)) return
      const message = `This site accepts such requests over HTTPS only: ${siteUrl}. This one came over plain HTTP.`
      throw new RestError('https_required', message, { status: 403 }, { Connection: 'close' })
    },
  }
}
