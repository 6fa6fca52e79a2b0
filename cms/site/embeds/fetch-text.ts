import type { IncomingMessage } from 'node:http'
import { readResponse, requestPublic } from '../../http/public-request.ts'

/** Timeout including redirects, in ms; as in WordPress. */
const TIME_LIMIT = 5000

export interface TextRequest {
  readonly maxBytes: number
  /** Whether a longer text is truncated; otherwise it is an error. */
  readonly truncate: boolean
  /** Whether URLs without TLS are allowed. */
  readonly allowsHttp: boolean
  readonly userAgent: string
  /** Allows local URLs without TLS, for tests. */
  readonly isTrusted: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
}

export interface TextResponse {
  readonly status: number
  readonly text: string
}

/**
 * Fetches text from a public URL, within five seconds.
 * @throws RefusedAddress for a forbidden address; Error for no response, too many redirects, or a text that is too
 * large or compressed
 */
export async function fetchText(url: string, request: TextRequest): Promise<TextResponse> {
  const { allowsHttp, userAgent, isTrusted } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIME_LIMIT)])
  const headers = { 'User-Agent': userAgent }
  const { url: at, response } = await requestPublic(url, { headers, allowsHttp, isTrusted, signal })
  const bytes = await readResponse(at, response, request)
  return { status: response.statusCode ?? 0, text: decoderOf(response).decode(bytes) }
}

/** Decodes with the charset of the response; UTF-8 if it is unknown. */
function decoderOf({ headers }: IncomingMessage): InstanceType<typeof TextDecoder> {
  const label = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
