/** Most URLs of one submission. */
export const MOST_URLS = 10_000

/** Milliseconds for an answer. */
const TIME_LIMIT = 5000

/** What an endpoint made of a submission. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter: string | null }
  /** No answer, or one of a server that is out of order. */
  | { readonly kind: 'unreachable'; readonly status: number | null }

export interface Submission {
  /** Absolute URLs of one host, at most `MOST_URLS`. */
  readonly urls: readonly string[]
  readonly key: string
  /** URL of the file that holds the key. */
  readonly keyLocation: string
}

/** What the statuses mean (https://www.indexnow.org/documentation). */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'The URLs were accepted.',
  202: 'The URLs were received; the key has still to be checked.',
  400: 'The request is not as the endpoint expects it.',
  403: 'The key is not valid: the endpoint did not find it in the key file.',
  422: 'URLs do not belong to the host, or the key does not fit the protocol.',
  429: 'Too many URLs were sent lately.',
}

/** Says in a sentence what became of a submission. @param status of the endpoint; `null` where it gave none */
export function describe(status: number | null): string {
  if (status === null) return 'The endpoint could not be reached.'
  const refused = status >= 500 ? 'The endpoint is out of order' : 'The endpoint refused the URLs'
  return MEANINGS[status] ?? `${refused}: it answered ${status}.`
}

/** Whether the same URLs may be accepted later. */
export function isTemporary(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' || (outcome.kind === 'rejected' && outcome.status === 429)
}

/**
 * Sends URLs by IndexNow: one JSON POST. Never rejects. Redirects are not followed, as the key would go with them, and
 * what the endpoint says beside its status is not read.
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
