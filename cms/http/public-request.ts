import { type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import { deprecate } from 'node:util'
import { isPublicAddress, publicLookup, RefusedAddress } from './public-address.ts'

const MOST_REDIRECTS = 3

export interface PublicRequest {
  readonly headers?: OutgoingHttpHeaders
  /** Whether http URLs are allowed. Default: no. */
  readonly allowsHttp?: boolean
  /** Whether any port is allowed, for URLs entered by an administrator. Default: the ports of websites. */
  readonly allowsAnyPort?: boolean
  /** URLs of this machine that are allowed, without TLS and on any port. Default: none. */
  readonly isTrusted?: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
}

export interface PublicResponse {
  /** After redirects. */
  readonly url: URL
  /** To be read or destroyed. */
  readonly response: IncomingMessage
  /** @deprecated Use `response`. */
  readonly answer: IncomingMessage
}

const former = deprecate(
  (response: IncomingMessage) => response,
  'The member `answer` of what requestPublic returns was renamed to `response`.',
  'PENTAD_PUBLIC_RESPONSE',
)

/**
 * Requests a URL that was entered by a user or found in a page, and follows redirects. Only public addresses are requested (SSRF): the
 * address is checked when connecting, so DNS rebinding has no effect. Ports are those of WordPress's `wp_http_validate_url`, so that other
 * services of a host cannot be reached.
 *
 * @throws RefusedAddress for a URL that must not be requested; Error after more than three redirects
 */
export async function requestPublic(url: string, request: PublicRequest): Promise<PublicResponse> {
  let at = new URL(url)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await ask(at, request)
    const target = isRedirect(response) && response.headers.location
    if (!target)
      return {
        url: at,
        response,
        get answer() {
          return former(response)
        },
      }
    response.destroy()
    const next = new URL(target, at)
    if (next.origin !== at.origin) request = withoutCredentials(request)
    at = next
  }
  throw new Error(`${url} redirects more than ${MOST_REDIRECTS} times.`)
}

/** Credentials are for the server that they were given for, and not for the one that it redirects to. */
function withoutCredentials(request: PublicRequest): PublicRequest {
  const headers = Object.entries(request.headers ?? {}).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name))
  return { ...request, headers: Object.fromEntries(headers) }
}

/** Whether the port is one that WordPress allows for user-supplied URLs: 80, 443 or 8080. */
function isWebPort({ port }: URL): boolean {
  return ['', '80', '443', '8080'].includes(port)
}

/** The URL for messages, without its query string, which may contain a secret. */
export function describeUnusedUrl(url: URL, reason: string): string {
  return `${url.origin}${url.pathname} is not used: ${reason}.`
}

/** @deprecated Use `describeUnusedUrl`. */
export const notUsed = deprecate(describeUnusedUrl, 'notUsed was renamed to describeUnusedUrl.', 'PENTAD_NOT_USED')

function isRedirect({ statusCode }: IncomingMessage): boolean {
  return statusCode !== undefined && [301, 302, 303, 307, 308].includes(statusCode)
}

/**
 * Why a URL must not be requested, as far as the URL itself shows; resolved addresses are checked when connecting. `undefined` if it may.
 */
export function addressErrorOf(
  url: URL,
  { allowsHttp, allowsAnyPort, isTrusted }: Omit<PublicRequest, 'headers' | 'signal'>,
): string | undefined {
  const trusted = isTrusted?.(url) === true
  const isPlain = url.protocol === 'http:' && (trusted || allowsHttp === true)
  if (url.protocol !== 'https:' && !isPlain) return 'it does not use HTTPS'
  if (url.username !== '' || url.password !== '') return 'it contains a username or password'
  if (trusted) return undefined
  // `lookup` is not called for IP addresses.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return 'its address is not public'
  return allowsAnyPort || isWebPort(url) ? undefined : `port ${url.port} is not allowed`
}

/**
 * Reads a response body up to a number of bytes and closes the connection.
 *
 * @param url URL for messages
 * @param limits.truncate whether to truncate a longer body; otherwise it is an error
 * @throws Error for a body that is too large, compressed or aborted
 */
export async function readResponse(
  url: URL,
  response: IncomingMessage,
  { maxBytes, truncate = false }: { readonly maxBytes: number; readonly truncate?: boolean },
): Promise<Buffer> {
  try {
    if ((response.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Error(describeUnusedUrl(url, 'it is compressed'))
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response) {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) continue
      if (!truncate) throw new Error(describeUnusedUrl(url, `it is larger than ${maxBytes} bytes`))
      break
    }
    return Buffer.concat(chunks).subarray(0, maxBytes)
  } finally {
    response.destroy()
  }
}

/** @deprecated Use `readResponse`. */
export const readAnswer = deprecate(readResponse, 'readAnswer was renamed to readResponse.', 'PENTAD_READ_ANSWER')

function ask(url: URL, request: PublicRequest): Promise<IncomingMessage> {
  const { headers, isTrusted, signal } = request
  const refusal = addressErrorOf(url, request)
  if (refusal !== undefined) throw new RefusedAddress(describeUnusedUrl(url, refusal))
  return requestOnce(url, {
    headers: { Accept: '*/*', 'Accept-Encoding': 'identity', ...headers },
    ...{ signal, isTrusted: isTrusted?.(url) === true },
  })
}

/**
 * Sends a request to a URL for which `addressErrorOf` found nothing, and follows no redirects. The address is checked when connecting, so
 * that one that changes between a check and the request has no effect.
 *
 * @returns the response, to be read or destroyed
 */
export function requestOnce(
  url: URL,
  request: {
    /** Default: GET. */
    readonly method?: string
    readonly headers: OutgoingHttpHeaders
    readonly body?: string | undefined
    readonly signal: AbortSignal
    /** Whether the address may be one that is not public. */
    readonly isTrusted: boolean
  },
): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal, isTrusted } = request
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  const options = {
    ...{ method, signal, headers: { 'User-Agent': 'Pentad', ...headers } },
    // A separate connection, closed after the response.
    agent: false,
    ...(!isTrusted && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    send(url, options, resolve).once('error', reject).end(body)
  })
}
