import type { IncomingMessage } from 'node:http'
import { readAnswer, requestPublic } from '../../../core/http/public-request.ts'

/** Milliseconds for all of it, redirects included; WordPress's time limit of a request. */
const TIME_LIMIT = 5000

export interface TextRequest {
  readonly maxBytes: number
  /** Whether the beginning of a longer text is enough; otherwise that is an error. */
  readonly truncate: boolean
  /** Whether an address without TLS may be asked. */
  readonly allowsHttp: boolean
  readonly userAgent: string
  /** Whether an address may be one of this machine, and without TLS: for tests. */
  readonly isTrusted: ((url: URL) => boolean) | undefined
  readonly signal: AbortSignal
}

export interface TextAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Reads a text from a public address, within five seconds.
 *
 * @throws RefusedAddress for an address that must not be asked; Error for no answer, too many redirects, a text that is too
 * large or compressed
 */
export async function fetchText(url: string, request: TextRequest): Promise<TextAnswer> {
  const { allowsHttp, userAgent, isTrusted } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIME_LIMIT)])
  const headers = { 'User-Agent': userAgent }
  const { url: at, answer } = await requestPublic(url, { headers, allowsHttp, isTrusted, signal })
  const bytes = await readAnswer(at, answer, request)
  return { status: answer.statusCode ?? 0, text: decoderOf(answer).decode(bytes) }
}

/** Of the character set that the answer names; UTF-8 where that is none. */
function decoderOf({ headers }: IncomingMessage): InstanceType<typeof TextDecoder> {
  const label = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
