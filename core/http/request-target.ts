import type { IncomingMessage } from 'node:http'

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Normalizes the target of a request to a path, and its host.
 *
 * An absolute target, as sent to proxies, takes precedence over `Host` and replaces it (RFC 9112, 3.2.2). Returns `false` for other targets
 * and for several `Host` headers (RFC 9112, 3.2), since a cache in front of the site may have used a different one.
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
