import type { IncomingMessage } from 'node:http'
import { notUsed, requestPublic } from 'pentad'

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
 * Fetches a file of another host that a page names, over TLS from a public address.
 *
 * @throws Error for an address that must not be asked, any answer but 200, another type, too many bytes or redirects
 */
export async function fetchForeignFile(url: string, request: ForeignRequest): Promise<ForeignFile> {
  const { isTrusted, userAgent = 'Pentad', timeoutMs = 10_000 } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  const found = await requestPublic(url, { headers: { 'User-Agent': userAgent }, isTrusted, signal })
  return readAnswer(found.url, found.answer, request)
}

async function readAnswer(url: URL, answer: IncomingMessage, request: ForeignRequest): Promise<ForeignFile> {
  try {
    const { maxBytes = 5 * 1024 * 1024 } = request
    const contentType = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (answer.statusCode !== 200) throw new Error(notUsed(url, `it was answered with ${answer.statusCode}`))
    if (!request.types.test(contentType)) throw new Error(notUsed(url, `it is ${contentType || 'of no type'}`))
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Error(notUsed(url, 'it is compressed'))
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer) {
      size += chunk.length
      if (size > maxBytes) throw new Error(notUsed(url, `it is larger than ${maxBytes} bytes`))
      chunks.push(chunk)
    }
    return { url: url.href, contentType, bytes: Buffer.concat(chunks) }
  } finally {
    answer.destroy()
  }
}
