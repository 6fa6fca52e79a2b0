import { describeUnusedUrl, readResponse, requestPublic } from 'pentad'

export interface RemoteFileRequest {
  /** Allowed `Content-Type`, without parameters. */
  readonly types: RegExp
  /** Size limit in bytes. Default: 5 MiB. */
  readonly maxBytes?: number
  /** Total time limit in ms, including redirects. Default: 10,000. */
  readonly timeoutMs?: number
  readonly userAgent?: string
  /** Whether a URL may be local and without TLS. Default: none. */
  readonly isTrusted?: (url: URL) => boolean
  readonly signal: AbortSignal
}

export interface RemoteFile {
  /** Final URL after redirects. */
  readonly url: string
  readonly contentType: string
  readonly bytes: Buffer
}

/**
 * Fetches a file of another host, over TLS and only from public IP addresses.
 *
 * @throws Error for a forbidden address, a status other than 200, another type, or too many bytes or redirects
 */
export async function fetchRemoteFile(url: string, request: RemoteFileRequest): Promise<RemoteFile> {
  const { isTrusted, userAgent = 'Pentad', timeoutMs = 10_000, maxBytes = 5 * 1024 * 1024 } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  const { url: at, response } = await requestPublic(url, { headers: { 'User-Agent': userAgent }, isTrusted, signal })
  const contentType = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const problem =
    response.statusCode !== 200
      ? `the status is ${response.statusCode}`
      : request.types.test(contentType)
        ? undefined
        : `the content type is ${contentType || 'missing'}`
  if (problem !== undefined) {
    response.destroy()
    throw new Error(describeUnusedUrl(at, problem))
  }
  return { url: at.href, contentType, bytes: await readResponse(at, response, { maxBytes }) }
}
