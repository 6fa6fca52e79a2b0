import type { IncomingMessage, ServerResponse } from 'node:http'
import { RestError } from '../errors.ts'

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Brings a request to the one form that all who read it know: a path as its target, one host.
 *
 * The whole address as target, as clients send it to proxies, counts for the host too (RFC 9112, 3.2.2), so that nobody
 * after this takes the one for the other. Answers `false` for a target that names nothing here, and for two hosts
 * (RFC 9112, 3.2): a cache before us may have taken the one that we did not.
 */
export function settleTarget(request: IncomingMessage): boolean {
  if (hostsOf(request) > 1) return false
  const { url = '', method } = request
  if (url.startsWith('/')) return true
  if (url === '*') return method === 'OPTIONS'
  const [origin = '', authority = ''] = ABSOLUTE.exec(url) ?? []
  if (authority === '' || authority.includes('@') || !URL.canParse(origin)) return false
  const rest = url.slice(origin.length)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = authority
  return true
}

/** The connection ends: who sent this may mean by the next bytes something else than we do. */
export function refuseTarget(response: ServerResponse): void {
  const refusal = new RestError('rest_malformed_request', 'The request is not valid HTTP.', { status: 400 })
  const { code, message, data, status } = refusal
  const body = JSON.stringify({ code, message, data })
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(body)
}

function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
