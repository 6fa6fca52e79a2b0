import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, publicLookup } from 'pentad'

const MOST_REDIRECTS = 3

export interface ForeignRequest {
  /** What may come, as `Content-Type` without parameters. */
  readonly types: RegExp
  /** Bytes; default 5 MiB. */
  readonly maxBytes?: number
  /** For all of it, redirects included; default 10 seconds. */
  readonly timeoutMs?: number
  readonly userAgent?: string
  /** Whether an address may be one of this machine, and without TLS. Default: none. */
  readonly isTrusted?: (url: URL) => boolean
  readonly signal: AbortSignal
}

export interface ForeignFile {
  /** Where it came from in the end. */
  readonly url: string
  readonly contentType: string
  readonly bytes: Buffer
}

/**
 * Fetches a file of another host that a page names. Only public addresses over TLS are asked: the address is checked
 * where the connection is made, so that a name which resolves differently the second time gains nothing.
 *
 * @throws Error for an address that must not be asked, any answer but 200, another type, too many bytes or redirects
 */
export async function fetchForeignFile(url: string, request: ForeignRequest): Promise<ForeignFile> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs ?? 10_000)])
  let at = new URL(url)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await ask(at, request, signal)
    const target = isRedirect(answer) && answer.headers.location
    if (!target) return readAnswer(at, answer, request)
    answer.destroy()
    at = new URL(target, at)
  }
  throw new Error(`${url} redirects more than ${MOST_REDIRECTS} times.`)
}

function isRedirect({ statusCode }: IncomingMessage): boolean {
  return statusCode !== undefined && [301, 302, 303, 307, 308].includes(statusCode)
}

function ask(url: URL, { isTrusted, userAgent }: ForeignRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const trusted = isTrusted?.(url) === true
  if (url.protocol !== 'https:' && !(trusted && url.protocol === 'http:')) throw refused(url, 'it is not https')
  if (url.username !== '' || url.password !== '') throw refused(url, 'it carries credentials')
  // For a host that is an address nothing is looked up.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (!trusted && isIP(literal) !== 0 && !isPublicAddress(literal)) throw refused(url, 'its address is not public')
  const get = url.protocol === 'https:' ? getSecure : getPlain
  const options = {
    // A connection of its own, which ends with the answer.
    agent: false,
    headers: { Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': userAgent ?? 'Pentad' },
    signal,
    ...(!trusted && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    get(url, options, resolve).once('error', reject)
  })
}

async function readAnswer(url: URL, answer: IncomingMessage, request: ForeignRequest): Promise<ForeignFile> {
  try {
    const { maxBytes = 5 * 1024 * 1024 } = request
    const contentType = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (answer.statusCode !== 200) throw refused(url, `it was answered with ${answer.statusCode}`)
    if (!request.types.test(contentType)) throw refused(url, `it is ${contentType || 'of no type'}`)
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') throw refused(url, 'it is compressed')
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer) {
      size += chunk.length
      if (size > maxBytes) throw refused(url, `it is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return { url: url.href, contentType, bytes: Buffer.concat(chunks) }
  } finally {
    answer.destroy()
  }
}

function refused(url: URL, reason: string): Error {
  return new Error(`${url.origin}${url.pathname} is not used: ${reason}.`)
}
