import { get as getPlain, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { get as getSecure } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, publicLookup, RefusedAddress } from './public-address.ts'

const MOST_REDIRECTS = 3

export interface PublicRequest {
  readonly headers?: OutgoingHttpHeaders
  /** Whether an address without TLS may be asked. Default: no. */
  readonly allowsHttp?: boolean
  /** Whether the port may be any, as where an administrator names the address. Default: one of websites. */
  readonly allowsAnyPort?: boolean
  /** Whether an address may be one of this machine, without TLS and at any port. Default: none. */
  readonly isTrusted?: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
}

/**
 * Asks an address that somebody typed or a page names, and follows redirects. Only public addresses are asked: the
 * address is checked where the connection is made, so that a name which resolves differently the second time gains
 * nothing. Ports are those of WordPress's `wp_http_validate_url`, so that nobody has other services of a host asked.
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

/** Whether the port is one that WordPress requests at a user's word: 80, 443 or 8080. */
function isWebPort({ port }: URL): boolean {
  return ['', '80', '443', '8080'].includes(port)
}

/** What is said of an address or its answer; nothing of a query string, which may hold a secret. */
export function notUsed(url: URL, reason: string): string {
  return `${url.origin}${url.pathname} is not used: ${reason}.`
}

function isRedirect({ statusCode }: IncomingMessage): boolean {
  return statusCode !== undefined && [301, 302, 303, 307, 308].includes(statusCode)
}

/**
 * Why an address is not requested, as far as the address itself tells; what a name resolves to is checked where the connection
 * is made. `undefined` if nothing speaks against it.
 */
export function refusalOf(
  url: URL,
  { allowsHttp, allowsAnyPort, isTrusted }: Omit<PublicRequest, 'headers' | 'signal'>,
): string | undefined {
  const trusted = isTrusted?.(url) === true
  const isPlain = url.protocol === 'http:' && (trusted || allowsHttp === true)
  if (url.protocol !== 'https:' && !isPlain) return 'it is not https'
  if (url.username !== '' || url.password !== '') return 'it carries credentials'
  if (trusted) return undefined
  // For a host that is an address nothing is looked up.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return 'its address is not public'
  return allowsAnyPort || isWebPort(url) ? undefined : `the port ${url.port} is not one of websites`
}

/**
 * Reads the body of an answer, up to a number of bytes, and ends the connection.
 *
 * @param url where it came from, for messages
 * @param limits.truncate whether the beginning of a longer body is enough; otherwise that is an error
 * @throws Error for a body that is too large or compressed, or that breaks off
 */
export async function readAnswer(
  url: URL,
  answer: IncomingMessage,
  { maxBytes, truncate = false }: { readonly maxBytes: number; readonly truncate?: boolean },
): Promise<Buffer> {
  try {
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Error(notUsed(url, 'it is compressed'))
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer) {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) continue
      if (!truncate) throw new Error(notUsed(url, `it is larger than ${maxBytes} bytes`))
      break
    }
    return Buffer.concat(chunks).subarray(0, maxBytes)
  } finally {
    answer.destroy()
  }
}

function ask(url: URL, request: PublicRequest): Promise<IncomingMessage> {
  const { headers, isTrusted, signal } = request
  const refusal = refusalOf(url, request)
  if (refusal !== undefined) throw new RefusedAddress(notUsed(url, refusal))
  const get = url.protocol === 'https:' ? getSecure : getPlain
  const options = {
    // A connection of its own, which ends with the answer.
    agent: false,
    headers: { Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Pentad', ...headers },
    signal,
    ...(!isTrusted?.(url) && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    get(url, options, resolve).once('error', reject)
  })
}
