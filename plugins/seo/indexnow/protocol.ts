/** Maximum number of URLs in one submission. */
export const MOST_URLS = 10_000

/** Response timeout, in ms. */
const TIME_LIMIT = 5000

/** Result of a submission. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter: string | null }
  /** No response, or a 5xx status. */
  | { readonly kind: 'unreachable'; readonly status: number | null }

export interface Submission {
  /** Absolute URLs of one host, at most `MOST_URLS`. */
  readonly urls: readonly string[]
  readonly key: string
  /** URL of the file that holds the key. */
  readonly keyLocation: string
}

/** Meanings of the statuses (https://www.indexnow.org/documentation). */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'The URLs were accepted.',
  202: 'The URLs were received. Key validation is pending.',
  400: 'The endpoint rejected the request as malformed.',
  403: 'The key is not valid: the endpoint could not find it in the key file.',
  422: 'The URLs do not belong to the host, or the key does not match the protocol.',
  429: 'Too many URLs were submitted recently.',
}

/** The result of a submission as a sentence. @param status HTTP status of the endpoint; `null` if it did not respond */
export function describe(status: number | null): string {
  if (status === null) return 'The endpoint could not be reached.'
  const failure = status >= 500 ? 'The endpoint failed' : 'The endpoint rejected the URLs'
  return MEANINGS[status] ?? `${failure} (HTTP ${status}).`
}

/** Whether a retry can succeed. */
export function isTemporary(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' || (outcome.kind === 'rejected' && outcome.status === 429)
}

/**
 * Sends URLs by IndexNow: one JSON POST. Never rejects. Redirects are not followed, as the key would go with them, and
 * only the status of the response is read.
 */
export async function submit(
  endpoint: string,
  { urls, key, keyLocation }: Submission,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<Outcome> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ host: new URL(keyLocation).host, key, keyLocation, urlList: urls }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]),
    })
    const { status, headers } = response
    await response.body?.cancel()
    if (status === 200 || status === 202) return { kind: 'accepted', status }
    if (status >= 500) return { kind: 'unreachable', status }
    return { kind: 'rejected', status, retryAfter: headers.get('Retry-After') }
  } catch {
    return { kind: 'unreachable', status: null }
  }
}
