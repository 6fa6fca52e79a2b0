/** A receiver of webhooks that fails at times. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Receiver {
  readonly url: string
  /** IDs of the accepted events in the order of their first arrival. */
  readonly ids: readonly string[]
  /** Answers 503 as long as `true`. */
  fail(isFailing: boolean): void
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const ids = new Set<string>()
  let isFailing = false
  const server = createServer(async (request, response) => {
    await text(request)
    if (!isFailing) ids.add(String(request.headers['webhook-id']))
    response.writeHead(isFailing ? 503 : 204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hook`,
    get ids() {
      return [...ids]
    },
    fail(failing) {
      isFailing = failing
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
