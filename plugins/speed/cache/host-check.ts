/** `own`: cached. `passed`: served without cache. `unknown`: rejected. */
export type HostMatch = 'own' | 'passed' | 'unknown'

/** Loopback names, used by local health checks and proxies. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const WILDCARD = /^(?:0\.0\.0\.0|\[::\])$/
/** Maximum length of a host name (RFC 1035, 2.3.4) with port. */
const MAX_HOST = 262

/**
 * Classifies `Host` headers. Case, a trailing dot and the default port do not matter (RFC 9110, 4.2.3); other ports do.
 * @param siteUrl a wildcard address (`http://0.0.0.0:8080`) accepts every host, without cache
 */
export function createHostCheck(siteUrl: string): (host: string) => HostMatch {
  const { host: own, hostname: ownName, protocol } = new URL(siteUrl)
  const isAnywhere = WILDCARD.test(ownName)
  const defaultPort = protocol === 'https:' ? ':443' : ':80'

  function match(host: string): HostMatch {
    if (host.length > MAX_HOST || !/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host)) return 'unknown'
    const [, name = '', port = ''] = /^(.*?)\.?(:\d+)?$/.exec(host.toLowerCase()) ?? []
    if (isAnywhere) return 'passed'
    if (name + (port === defaultPort ? '' : port) === own) return 'own'
    return LOOPBACK.test(name) ? 'passed' : 'unknown'
  }
  return (host) => (host === own && !isAnywhere ? 'own' : match(host))
}
