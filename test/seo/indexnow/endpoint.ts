import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestHost } from 'pentad/testing'

/** What the endpoint got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: {
    readonly host: string
    readonly key: string
    readonly keyLocation: string
    readonly urlList: string[]
  }
}

export type Mood = number | 'hang up' | 'hang'

/** A server on this machine that speaks IndexNow, and answers as it is told. */
export interface Endpoint {
  readonly url: string
  readonly received: Received[]
  /** A status, no answer at all, or a connection that stays open without one. */
  mood: Mood
  headers: Record<string, string>
  close(): Promise<void>
}

export async function openEndpoint(): Promise<Endpoint> {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, type: headers['content-type'] ?? '', body: JSON.parse(await text(request)) })
    if (endpoint.mood === 'hang up') request.socket.destroy()
    else if (endpoint.mood !== 'hang')
      response.writeHead(endpoint.mood, endpoint.headers).end('{"message":"secret words"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = addressOf(server)
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/indexnow`,
    received,
    mood: 200,
    headers: {},
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

/** Lets what the site sends out reach the network of this machine. */
export function letOut(site: TestHost): void {
  site.respond(({ method, url, headers, body }) => fetch(url, { method, headers, body, redirect: 'manual' }))
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return address
}
