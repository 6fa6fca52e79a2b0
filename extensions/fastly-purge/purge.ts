/** What is to go: URLs and surrogate keys; `*` is everything. */
export type Targets = ReadonlySet<string>

const API = 'https://api.fastly.com'
/** Surrogate keys in one call. */
const MOST_AT_ONCE = 256

/** What Fastly said when it did not purge. */
export class FastlyError extends Error {
  /** The header of that name. */
  retryAfter: string | null = null
  /** Whether the same call may succeed later. */
  isTemporary = false
}

/**
 * Takes URLs and surrogate keys, or everything, out of a service's cache. Everything is never soft: Fastly can't do that.
 *
 * @see https://www.fastly.com/documentation/reference/api/purging/
 * @throws FastlyError if it refuses; the error of `fetch` if it can't be reached
 */
export async function purge(
  { serviceId, apiToken, softPurge }: { serviceId: string; apiToken: string; softPurge: 'on' | 'off' },
  targets: Targets,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<void> {
  if (targets.has('*')) return send(`/service/${serviceId}/purge_all`)
  const keys = [...targets].filter((target) => !target.includes('/'))
  for (let at = 0; at < keys.length; at += MOST_AT_ONCE) {
    await send(`/service/${serviceId}/purge`, { surrogate_keys: keys.slice(at, at + MOST_AT_ONCE) })
  }
  const urls = [...targets].filter((target) => target.includes('/'))
  for (const url of urls) await send(`/purge/${url.replace(/^https?:\/\//, '')}`)

  async function send(path: string, body: object = {}): Promise<void> {
    const response = await fetch(API + path, {
      method: 'POST',
      headers: {
        ...{ 'Fastly-Key': apiToken, Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(softPurge === 'on' && { 'Fastly-Soft-Purge': '1' }),
      },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    const { ok, status, headers } = response
    if (ok) return
    const isTemporary = status === 408 || status === 429 || status >= 500
    const retryAfter = headers.get('Retry-After')
    throw Object.assign(new FastlyError(`Fastly answered ${status}.`), { retryAfter, isTemporary })
  }
}
