import { sendPurge } from 'pentad'
import { authorize, type Client } from './edgegrid.ts'

/** Maximum bytes of a request body are 50,000. */
const MAX_BYTES = 48_000

/**
 * Purges tags and URLs. A soft purge invalidates pages: Akamai revalidates them, and serves them only if the site is down.
 *
 * @see https://techdocs.akamai.com/purge-cache/reference
 * @throws as `sendPurge`
 */
export async function purge(
  client: Client & { network: string },
  { tags, urls }: { tags: readonly string[]; urls: readonly string[] },
  { soft = false, ...options }: { fetch: typeof fetch; soft?: boolean; signal: AbortSignal },
): Promise<void> {
  for (const [kind, objects] of [['tag', tags] as const, ['url', urls] as const]) {
    for (const body of bodies(objects)) {
      const path = `/ccu/v3/${soft ? 'invalidate' : 'delete'}/${kind}/${client.network}`
      const headers = { Authorization: authorize(client, { path, body }), 'Content-Type': 'application/json' }
      const request = { method: 'POST', headers, body, ...options }
      await (await sendPurge('Akamai', `https://${client.host}${path}`, request)).body?.cancel()
    }
  }
}

/** `{"objects":[…]}` within the size limit. */
function* bodies(objects: readonly string[]): Generator<string> {
  let some: string[] = []
  let bytes = 0
  for (const object of objects) {
    const size = Buffer.byteLength(JSON.stringify(object)) + 1
    if (some.length > 0 && bytes + size > MAX_BYTES) {
      yield JSON.stringify({ objects: some })
      some = []
      bytes = 0
    }
    some.push(object)
    bytes += size
  }
  if (some.length > 0) yield JSON.stringify({ objects: some })
}
