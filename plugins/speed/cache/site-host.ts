/** `own`: may read and write the cache. `passed`: answered, never cached. `unknown`: refused. */
export type HostStanding = 'own' | 'passed' | 'unknown'

/** Names of this machine: health checks and proxies on it ask by them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const WILDCARD = /^(?:0\.0\.0\.0|\[::\])$/
/** How long a name may be (RFC 1035, 2.3.4), with its port. */
const MAX_HOST = 262

/**
 * Tells the site's own host from others in a `Host` header. Case, a dot at the end and the default port make no
 * difference (RFC 9110, 4.2.3); another port does.
 * @param siteUrl a site that names no address of its own (`http://0.0.0.0:8080`) answers every host, uncached
 */
export function createHostCheck(siteUrl: string): (host: string) => HostStanding {
  const { host: own, hostname: ownName, protocol } = new URL(siteUrl)
  const isAnywhere = WILDCARD.test(ownName)
  const defaultPort = protocol === 'https:' ? ':443' : ':80'

  function standing(host: string): HostStanding {
    if (host.length > MAX_HOST || !/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host)) return 'unknown'
    const [, name = '', port = ''] = /^(.*?)\.?(:\d+)?$/.exec(host.toLowerCase()) ?? []
    if (isAnywhere) return 'passed'
    if (name + (port === defaultPort ? '' : port) === own) return 'own'
    return LOOPBACK.test(name) ? 'passed' : 'unknown'
  }
  return (host) => (host === own && !isAnywhere ? 'own' : standing(host))
}
