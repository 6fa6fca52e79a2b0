import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

interface Purge {
  readonly scope: string
  readonly urls: readonly string[]
  readonly tags: readonly string[]
}

/** The receiver of a CDN, written from docs/guides/change-feed.md with the library of Standard Webhooks: verifies, deduplicates, purges. */
export function createReceiver(secret: string, purge: (what: Purge) => void): Server {
  const webhook = new Webhook(secret)
  const seen = new Set<string>()

  return createServer(async (request, response) => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const id = header('webhook-id')
    const signature = {
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    }
    const body = await text(request)
    try {
      webhook.verify(body, { 'webhook-id': id, ...signature })
    } catch {
      response.writeHead(401).end()
      return
    }
    const { type, data } = JSON.parse(body)
    if (type === 'pentad.purge' && !seen.has(id)) purge(data)
    seen.add(id)
    response.writeHead(204).end()
  })
}
