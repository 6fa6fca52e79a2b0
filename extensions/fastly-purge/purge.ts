import { sendPurge } from 'pentad'

/** URLs and surrogate keys to purge; `*` purges everything. */
export type Targets = ReadonlySet<string>

const API = 'https://api.fastly.com'
/** Maximum surrogate keys per request. */
const MOST_AT_ONCE = 256

/**
 * Purges URLs and surrogate keys, or everything, from the cache of a service. Fastly cannot soft purge
 * everything.
 *
 * @see https://www.fastly.com/documentation/reference/api/purging/
 * @throws as `sendPurge`
 */
export async function purge(
  { serviceId, apiToken }: { serviceId: string; apiToken: string },
  targets: Targets,
  { fetch, soft = false, signal }: { fetch: typeof globalThis.fetch; soft?: boolean; signal: AbortSignal },
): Promise<void> {
  if (targets.has('*')) return send(`/service/${serviceId}/purge_all`)
  const keys = [...targets].filter((target) => !target.includes('/'))
  for (let at = 0; at < keys.length; at += MOST_AT_ONCE) {
    await send(`/service/${serviceId}/purge`, { surrogate_keys: keys.slice(at, at + MOST_AT_ONCE) })
  }
  const urls = [...targets].filter((target) => target.includes('/'))
  for (const url of urls) await send(`/purge/${url.replace(/^https?:\/\//, '')}`)

  async function send(path: string, body: object = {}): Promise<void> {
    const response = await sendPurge('Fastly', API + path, {
      method: 'POST',
      headers: {
        ...{ 'Fastly-Key': apiToken, Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(soft && { 'Fastly-Soft-Purge': '1' }),
      },
      body: JSON.stringify(body),
      ...{ fetch, signal },
    })
    await response.body?.cancel()
  }
}
