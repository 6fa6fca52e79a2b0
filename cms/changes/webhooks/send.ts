import { messageOf } from '../../../core/errors.ts'
import { addressErrorOf, describeUnusedUrl, requestOnce } from '../../http/public-request.ts'
import { retryAfterMs } from '../../http/retry-after.ts'
import { signedHeaders } from './signatures.ts'
import type { Attempt, KeyRing, Message } from './types.ts'

/** Time limit of an attempt, in ms (Standard Webhooks: 15 to 30 seconds). */
const TIMEOUT = 20_000
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Why messages must not be sent to a URL; `undefined` if they may. `isLocal`: receivers on this machine are allowed, without TLS. */
export function urlErrorOf(url: URL, isLocal: boolean): string | undefined {
  return addressErrorOf(url, { allowsAnyPort: true, isTrusted: isTrusted(isLocal) })
}

/** Posts a signed message. Any status other than 2xx is an error, including redirects. */
export async function send(
  url: string,
  { id, type, data }: Message,
  options: { keys: KeyRing; isLocal: boolean; signal: AbortSignal; now: () => number },
): Promise<Attempt> {
  const { keys, isLocal, now } = options
  const at = new URL(url)
  const started = performance.now()
  const result = (status: number | null, error: string, wait?: number): Attempt => ({
    ...{ status, error, durationMs: Math.round(performance.now() - started), retryAfterMs: wait },
  })
  const reason = urlErrorOf(at, isLocal)
  if (reason !== undefined) return result(null, describeUnusedUrl(at, reason))
  const body = JSON.stringify({ type, timestamp: new Date(now()).toISOString(), data })
  const headers = { 'Content-Type': 'application/json', ...signedHeaders(id, body, keys, now()) }
  try {
    const response = await requestOnce(at, {
      ...{ method: 'POST', headers, body, isTrusted: isTrusted(isLocal)(at) },
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT)]),
    })
    const { statusCode = 0, headers: received } = response.resume()
    if (statusCode >= 200 && statusCode < 300) return result(statusCode, '')
    return result(
      statusCode,
      `The receiver responded with ${statusCode}.`,
      retryAfterMs(received['retry-after'], now()),
    )
  } catch (error) {
    return result(null, `The receiver could not be reached: ${messageOf(error)}`)
  }
}

const isTrusted = (isLocal: boolean) => (url: URL) => isLocal && LOOPBACK.has(url.hostname)
