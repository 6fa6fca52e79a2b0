import { PurgeRejectedError, sendPurge } from 'pentad'
import { z } from 'zod'

const API = 'https://api.keycdn.com/zones'
/** Tags or URLs per request, to stay below the maximum size of a body. */
const MOST_AT_ONCE = 50

const responseSchema = z.object({ status: z.string(), description: z.string().default('') })

/** Number of requests that a purge takes. */
export function requestsFor({ tags, urls }: { tags: readonly string[]; urls: readonly string[] }): number {
  return Math.max(1, Math.ceil(tags.length / MOST_AT_ONCE) + Math.ceil(urls.length / MOST_AT_ONCE))
}

/**
 * Purges tags and URLs of a zone.
 *
 * @see https://www.keycdn.com/api
 * @throws as `sendPurge`; PurgeRejectedError if a successful response reports an error
 */
export async function purge(
  { zoneId, apiKey }: { zoneId: string; apiKey: string },
  { tags, urls }: { tags: readonly string[]; urls: readonly string[] },
  options: { fetch: typeof fetch; signal: AbortSignal },
): Promise<void> {
  const addresses = urls.map((url) => url.replace(/^https?:\/\//, ''))
  for (const [kind, list] of [['tag', tags] as const, ['url', addresses] as const]) {
    for (let at = 0; at < list.length; at += MOST_AT_ONCE) await send(kind, list.slice(at, at + MOST_AT_ONCE))
  }

  async function send(kind: 'tag' | 'url', list: readonly string[]): Promise<void> {
    const response = await sendPurge('KeyCDN', `${API}/purge${kind}/${zoneId}.json`, {
      method: 'DELETE',
      // The key is the username; there is no password.
      headers: {
        Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ [`${kind}s`]: list }),
      ...options,
    })
    const { data } = responseSchema.safeParse(await response.json().catch(() => null))
    if (data?.status !== 'success') {
      throw new PurgeRejectedError(`KeyCDN reported an error: ${data?.description || 'no reason given'}`)
    }
  }
}
