import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'

interface Purge {
  readonly scope: string
  readonly urls: readonly string[]
  readonly tags: readonly string[]
}

/** The receiver of a CDN, written from docs/guides/change-feed.md alone: verifies, deduplicates, purges. */
export function createReceiver(secret: string, purge: (what: Purge) => void): Server {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const seen = new Set<string>()

  function isAuthentic(id: string, time: string, body: string, signatures: string): boolean {
    if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`)
    return signatures.split(' ').some((one) => {
      const given = Buffer.from(one)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }

  return createServer(async (request, response) => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const id = header('webhook-id')
    const body = await text(request)
    if (!isAuthentic(id, header('webhook-timestamp'), body, header('webhook-signature'))) {
      response.writeHead(401).end()
      return
    }
    const { type, data } = JSON.parse(body)
    if (type === 'pentad.purge' && !seen.has(id)) purge(data)
    seen.add(id)
    response.writeHead(204).end()
  })
}
