import { connect } from 'node:net'
import { messageOf } from '../../core/errors.ts'
import { createTrustedProxies } from '../../core/http/client-address.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './types.ts'

/** Milliseconds in which a server on this machine must respond. */
const TIME_LIMIT = 3_000
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Every address: any client could choose the address that rate limits and the security log see. */
const EVERYONE = /^(?:0\.0\.0\.0|::)\/0$/

/** Whether the site can only be reached from this machine, as in development. */
export function isLocal({ config }: Pick<ExaminedSite, 'config'>): boolean {
  return LOOPBACK.test(new URL(config.url).hostname)
}

/** The URL of the site, and the proxies in front of it. */
export const checkUrl: DoctorCheck = async ({ config, texts }) => {
  const { __ } = texts
  const { url, trustedProxies } = config
  const { protocol, hostname } = new URL(url)
  const findings: Finding[] = []
  if (hostname === '0.0.0.0' || hostname === '[::]') {
    const message = __('%s is not a URL that visitors can open.', url)
    findings.push(error('URL', message, __('Set %s', 'PENTAD_URL=https://your-domain')))
  } else if (protocol === 'http:' && !isLocal({ config })) {
    const message = __('%s is not encrypted: passwords and session cookies can be intercepted in transit.', url)
    findings.push(
      warning('URL', message, __('Set up a reverse proxy with a certificate, and set PENTAD_URL to the https URL.')),
    )
  }
  return [
    ...findings,
    ...checkProxies(protocol, trustedProxies, texts),
    ...(findings.length > 0 ? [] : [ok('URL', __('The site URL is %s.', url))]),
  ]
}

function checkProxies(protocol: string, trustedProxies: readonly string[], { __ }: ExaminedSite['texts']): Finding[] {
  try {
    createTrustedProxies(trustedProxies, { warn() {} })
  } catch (thrown) {
    return [
      error(
        'proxies',
        messageOf(thrown),
        __('Correct PENTAD_TRUSTED_PROXIES: IP addresses and CIDR ranges, separated by commas.'),
      ),
    ]
  }
  if (trustedProxies.some((entry) => EVERYONE.test(entry))) {
    const message = __('All addresses are trusted proxies, so any client can spoof its IP address.')
    return [error('proxies', message, __('Set PENTAD_TRUSTED_PROXIES to the addresses of your proxies only.'))]
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    const message = __(
      'The URL uses HTTPS, so a proxy terminates TLS, but no proxy is trusted: all visitors share the IP address of the proxy, and its rate limit.',
    )
    return [
      warning(
        'proxies',
        message,
        __('Set PENTAD_TRUSTED_PROXIES, for example to 127.0.0.1 for a proxy on this machine.'),
      ),
    ]
  }
  return []
}

/** Whether a running site responds, or whether the port is free for a stopped one. */
export const checkServer: DoctorCheck = async ({ config: { host, port }, processes, texts: { __ } }) => {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const origin = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  const isOpen = await accepts(address, port)
  if (processes === 0) {
    if (!isOpen) return [ok('server', __('The site is stopped, and port %s is free.', port))]
    const fix = __('Find it with: %s; or set PENTAD_PORT to a free port.', `sudo lsof -i :${port}`)
    return [error('server', __('The site is stopped, but another program uses its port %s.', port), fix)]
  }
  if (!isOpen) {
    const message = __(
      'The site does not respond on %s: it is running on another machine or port, or it was killed less than a minute ago.',
      origin,
    )
    return [
      warning(
        'server',
        message,
        __('Set PENTAD_HOST and PENTAD_PORT to the same values as for the server, then run the checks again.'),
      ),
    ]
  }
  try {
    const response = await fetch(`${origin}/wp-json/host/v1/ready`, { signal: AbortSignal.timeout(TIME_LIMIT) })
    const ready =
      processes > 1
        ? __('The site is running on %1$s, with %2$s processes, and is ready.', origin, processes)
        : __('The site is running on %s, and is ready.', origin)
    if (response.ok) return [ok('server', ready)]
    const text = (await response.text()).slice(0, 500)
    return [
      error(
        'server',
        __('The site is running on %1$s, but is not ready: %2$s', origin, text),
        __('See the other findings and the site’s log.'),
      ),
    ]
  } catch (thrown) {
    return [
      error(
        'server',
        __('%1$s does not respond: %2$s', origin, messageOf(thrown)),
        __('Restart the site; its log may name the cause.'),
      ),
    ]
  }
}

/** Whether something listens there. */
function accepts(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port, timeout: TIME_LIMIT })
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  socket.once('timeout', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
