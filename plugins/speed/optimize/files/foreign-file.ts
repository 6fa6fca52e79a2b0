import { notUsed, readAnswer, requestPublic } from 'pentad'

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
  const { isTrusted, userAgent = 'Pentad', timeoutMs = 10_000, maxBytes = 5 * 1024 * 1024 } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  const { url: at, answer } = await requestPublic(url, { headers: { 'User-Agent': userAgent }, isTrusted, signal })
  const contentType = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const refusal =
    answer.statusCode !== 200
      ? `it was answered with ${answer.statusCode}`
      : request.types.test(contentType)
        ? undefined
        : `it is ${contentType || 'of no type'}`
  if (refusal !== undefined) {
    answer.destroy()
    throw new Error(notUsed(at, refusal))
  }
  return { url: at.href, contentType, bytes: await readAnswer(at, answer, { maxBytes }) }
}
