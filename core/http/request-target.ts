import type { IncomingMessage } from 'node:http'

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Normalizes a request: a path as its target, one host.
 *
 * An absolute target, as sent to proxies, takes precedence over `Host` (RFC 9112, 3.2.2) and replaces it. Returns `false` for a target of
 * another kind, and for two hosts (RFC 9112, 3.2): a cache in front may have used the other one.
 */
export function normalizeTarget(request: IncomingMessage): boolean {
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

function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
