import { request } from 'node:http'

/** URLs and tags to purge. */
export type Targets = ReadonlySet<string>

/** Tags per `BAN` request: each has up to 60 characters, and Varnish accepts headers of up to 8 KiB. */
const TAGS_AT_ONCE = 100

/**
 * Purges pages from all Varnish nodes: `BAN` for tags, in batches, and `PURGE` for URLs, with `X-Purge-Soft: 1` for a soft purge, for which
 * Varnish has no ban. Idempotent.
 *
 * @throws Error if a node failed; the others are purged
 */
export async function purge(
  nodes: readonly string[],
  targets: Targets,
  { secret, soft = false, signal }: { secret: string; soft?: boolean; signal: AbortSignal },
): Promise<void> {
  const tags = [...targets].filter((target) => !target.includes('/'))
  const urls = [...targets].filter((target) => target.includes('/')).map((url) => new URL(url))

  async function purgeNode(node: string): Promise<void> {
    for (let at = 0; at < tags.length; at += TAGS_AT_ONCE) {
      await send(node, 'BAN', '/', { 'X-Purge-Tags': tags.slice(at, at + TAGS_AT_ONCE).join('|') })
    }
    for (const { host, pathname, search } of urls)
      await send(node, 'PURGE', pathname + search, { Host: host, ...(soft && { 'X-Purge-Soft': '1' }) })
  }

  /** `fetch` does not allow setting the `Host` header. */
  function send(node: string, method: string, path: string, headers: Record<string, string>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const allHeaders = { ...headers, ...(secret && { 'X-Purge-Secret': secret }) }
    request(node, { method, path, headers: allHeaders, signal, agent: false }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`${node} responded to ${method} with ${response.statusCode}.`))
    })
      .once('error', (error) => reject(new Error(`${node} could not be reached.`, { cause: error })))
      .end()
    return promise
  }

  const results = await Promise.allSettled(nodes.map(purgeNode))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
