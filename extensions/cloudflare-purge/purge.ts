import { z } from 'zod'

/** URLs and tags to purge; `*` purges everything. */
export type Targets = ReadonlySet<string>

/** Maximum URLs or tags per request on every plan. */
const MOST_AT_ONCE = 100

/** Number of requests that a purge takes. */
export function requestsFor({ tags, urls }: { tags: readonly string[]; urls: readonly string[] }): number {
  return Math.max(1, Math.ceil(tags.length / MOST_AT_ONCE) + Math.ceil(urls.length / MOST_AT_ONCE))
}

const responseSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
})

/** Error response of Cloudflare. */
export class CloudflareError extends Error {
  /** `Retry-After` header. */
  retryAfter: string | null = null
  /** Whether a retry may succeed. */
  isTemporary = false
}

/**
 * Purges URLs and tags, or everything, from the cache of a zone.
 *
 * @see https://developers.cloudflare.com/api/resources/cache/methods/purge/
 * @throws CloudflareError for an error response
 */
export async function purge(
  { zoneId, apiToken }: { zoneId: string; apiToken: string },
  targets: Targets,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<void> {
  if (targets.has('*')) return send({ purge_everything: true })
  const tags = [...targets].filter((target) => !target.includes('/'))
  for (let at = 0; at < tags.length; at += MOST_AT_ONCE) await send({ tags: tags.slice(at, at + MOST_AT_ONCE) })
  const files = [...targets].filter((target) => target.includes('/'))
  for (let at = 0; at < files.length; at += MOST_AT_ONCE) await send({ files: files.slice(at, at + MOST_AT_ONCE) })

  async function send(body: object): Promise<void> {
    const response = await fetch(`https://api.cloudflare.com/client/v4/zones/${zoneId}/purge_cache`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    }).catch((cause: unknown) => {
      throw new Error('Cloudflare could not be reached.', { cause })
    })
    const { ok, status, headers } = response
    const { data } = responseSchema.safeParse(await response.json().catch(() => null))
    if (ok && data?.success) return
    const reasons = data?.errors.map(({ code, message }) => `${message} (${code})`).join('; ')
    const error = new CloudflareError(`Cloudflare responded with ${status}: ${reasons || 'no reason given'}`)
    const isTemporary = status === 408 || status === 429 || status >= 500
    throw Object.assign(error, { retryAfter: headers.get('Retry-After'), isTemporary })
  }
}
