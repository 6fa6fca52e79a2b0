import { get as getPlain, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { get as getSecure } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, publicLookup, RefusedAddress } from './public-address.ts'

const MOST_REDIRECTS = 3

export interface PublicRequest {
  readonly headers?: OutgoingHttpHeaders
  /** Whether an address without TLS may be asked. Default: no. */
  readonly allowsHttp?: boolean
  /** Whether an address may be one of this machine, and without TLS. Default: none. */
  readonly isTrusted?: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
}

/**
 * Asks an address that somebody typed or a page names, and follows redirects. Only public addresses are asked: the
 * address is checked where the connection is made, so that a name which resolves differently the second time gains
 * nothing.
 *
 * @returns the answer, to be read or destroyed, and where it came from in the end
 * @throws RefusedAddress for an address that must not be asked; Error for more than three redirects
 */
export async function requestPublic(
  url: string,
  request: PublicRequest,
): Promise<{ readonly url: URL; readonly answer: IncomingMessage }> {
  let at = new URL(url)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await ask(at, request)
    const target = isRedirect(answer) && answer.headers.location
    if (!target) return { url: at, answer }
    answer.destroy()
    at = new URL(target, at)
  }
  throw new Error(`${url} redirects more than ${MOST_REDIRECTS} times.`)
}

/** What is said of an address or its answer; nothing of a query string, which may hold a secret. */
export function notUsed(url: URL, reason: string): string {
  return `${url.origin}${url.pathname} is not used: ${reason}.`
}

function isRedirect({ statusCode }: IncomingMessage): boolean {
  return statusCode !== undefined && [301, 302, 303, 307, 308].includes(statusCode)
}

function ask(url: URL, { headers, allowsHttp, isTrusted, signal }: PublicRequest): Promise<IncomingMessage> {
  const trusted = isTrusted?.(url) === true
  const isPlain = url.protocol === 'http:' && (trusted || allowsHttp === true)
  if (url.protocol !== 'https:' && !isPlain) throw new RefusedAddress(notUsed(url, 'it is not https'))
  if (url.username !== '' || url.password !== '') throw new RefusedAddress(notUsed(url, 'it carries credentials'))
  // For a host that is an address nothing is looked up.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (!trusted && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new RefusedAddress(notUsed(url, 'its address is not public'))
  const get = url.protocol === 'https:' ? getSecure : getPlain
  const options = {
    // A connection of its own, which ends with the answer.
    agent: false,
    headers: { Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Pentad', ...headers },
    signal,
    ...(!trusted && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    get(url, options, resolve).once('error', reject)
  })
}
