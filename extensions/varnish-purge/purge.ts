import { request } from 'node:http'

/** What is to go: URLs and tags. */
export type Targets = ReadonlySet<string>

/** Tags in one `BAN`: each has at most 60 characters, and Varnish takes 8 KiB in a header. */
const TAGS_AT_ONCE = 100

/**
 * Takes pages out of every Varnish: `BAN` for tags, many at once, `PURGE` for URLs. Repeating it does no harm.
 *
 * @throws Error if one Varnish did not do all of it; the others did
 */
export async function purge(nodes: readonly string[], secret: string, targets: Targets, signal: AbortSignal) {
  const tags = [...targets].filter((target) => !target.includes('/'))
  const urls = [...targets].filter((target) => target.includes('/')).map((url) => new URL(url))

  async function purgeNode(node: string): Promise<void> {
    for (let at = 0; at < tags.length; at += TAGS_AT_ONCE) {
      await send(node, 'BAN', '/', { 'X-Purge-Tags': tags.slice(at, at + TAGS_AT_ONCE).join('|') })
    }
    for (const { host, pathname, search } of urls) await send(node, 'PURGE', pathname + search, { Host: host })
  }

  /** Not by `fetch`, which always sends the `Host` of the address that it connects to. */
  function send(node: string, method: string, path: string, headers: Record<string, string>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const allHeaders = { ...headers, ...(secret && { 'X-Purge-Secret': secret }) }
    request(node, { method, path, headers: allHeaders, signal, agent: false }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`${node} answered ${method} with ${response.statusCode}.`))
    })
      .once('error', (error) => reject(new Error(`${node} can't be reached.`, { cause: error })))
      .end()
    return promise
  }

  const results = await Promise.allSettled(nodes.map(purgeNode))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
