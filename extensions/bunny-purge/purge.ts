import { sendPurge } from 'pentad'

const API = 'https://api.bunny.net'

/**
 * Purges tags of a pull zone, and URLs without their variants. Each takes a request.
 *
 * @see https://docs.bunny.net/cdn/purge-cache
 * @throws as `sendPurge`
 */
export async function purge(
  { pullZoneId, apiKey }: { pullZoneId: string; apiKey: string },
  { tags, urls }: { tags: readonly string[]; urls: readonly string[] },
  options: { fetch: typeof fetch; signal: AbortSignal },
): Promise<void> {
  for (const tag of tags) await send(`/pullzone/${pullZoneId}/purgeCache`, { CacheTag: tag })
  for (const url of urls) await send(`/purge?url=${encodeURIComponent(url)}&exactPath=true`)

  async function send(path: string, body?: object): Promise<void> {
    const headers = { AccessKey: apiKey, ...(body && { 'Content-Type': 'application/json' }) }
    const request = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }), ...options }
    await (await sendPurge('Bunny', API + path, request)).body?.cancel()
  }
}
