import { z } from 'zod'

/** What is to go: URLs and tags; `*` is everything. */
export type Targets = ReadonlySet<string>

/** Of URLs or tags in one call, on every plan. */
const MOST_AT_ONCE = 100

const answerSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
})

/** What Cloudflare said when it did not purge. */
export class CloudflareError extends Error {
  /** The header of that name. */
  retryAfter: string | null = null
  /** Whether the same call may succeed later. */
  isTemporary = false
}

/**
 * Takes URLs and tags, or everything, out of a zone's cache.
 *
 * @see https://developers.cloudflare.com/api/resources/cache/methods/purge/
 * @throws CloudflareError if it refuses; the error of `fetch` if it can't be reached
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
    })
    const { ok, status, headers } = response
    const { data } = answerSchema.safeParse(await response.json().catch(() => null))
    if (ok && data?.success) return
    const reasons = data?.errors.map(({ code, message }) => `${message} (${code})`).join('; ')
    const error = new CloudflareError(`Cloudflare answered ${status}: ${reasons || 'no reason given'}`)
    const isTemporary = status === 408 || status === 429 || status >= 500
    throw Object.assign(error, { retryAfter: headers.get('Retry-After'), isTemporary })
  }
}
