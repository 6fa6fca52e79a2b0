/** Servers that speak the purge APIs of Cloudflare and Fastly, with their limits, on this machine. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestHost } from 'pentad/testing'

export interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export interface CdnApi {
  /** What was accepted, in order. */
  readonly accepted: Call[]
  /** Calls of any kind, in order. */
  readonly calls: Call[]
  /** Answers these, one a call, before it works again; calls that purge all pages are answered as ever. */
  failWith(...answers: Answer[]): void
  close(): Promise<void>
}

export const ZONE = '0123456789abcdef0123456789abcdef'
export const SERVICE = 'SU1Z0isxPaozGVKXdv0eY'
export const TOKEN = 'a-token-that-nobody-may-see'

/** @see https://developers.cloudflare.com/api/resources/cache/methods/purge/ */
export function startCloudflare(host: TestHost): Promise<CdnApi> {
  const refused = (status: number, code: number, message: string) => ({
    status,
    body: { success: false, errors: [{ code, message }], messages: [], result: null },
  })
  return startApi(host, 'https://api.cloudflare.com', ({ path, headers, body }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return refused(403, 10000, 'Authentication error')
    if (path !== `/client/v4/zones/${ZONE}/purge_cache`) return refused(404, 7003, 'Could not route to the zone')
    const kinds = ['purge_everything', 'files', 'tags'].filter((kind) => kind in body)
    const lists = [body.files, body.tags].filter(Array.isArray)
    if (kinds.length !== 1 || lists.some(({ length }) => length === 0 || length > 100)) {
      return refused(400, 1012, 'Request must contain one of purge_everything, files or tags, at most 100')
    }
    return { status: 200, body: { success: true, errors: [], messages: [], result: { id: ZONE } } }
  })
}

/** @see https://www.fastly.com/documentation/reference/api/purging/ */
export function startFastly(host: TestHost): Promise<CdnApi> {
  return startApi(host, 'https://api.fastly.com', ({ path, headers, body }) => {
    if (headers['fastly-key'] !== TOKEN)
      return { status: 401, body: { msg: 'Provided credentials are missing or invalid' } }
    const keys = Array.isArray(body.surrogate_keys) ? body.surrogate_keys.length : 0
    if (path === `/service/${SERVICE}/purge_all` || path.startsWith('/purge/'))
      return { status: 200, body: { status: 'ok' } }
    if (path !== `/service/${SERVICE}/purge`) return { status: 404, body: { msg: 'Record not found' } }
    return keys > 0 && keys <= 256 ? { status: 200, body: {} } : { status: 400, body: { msg: 'Bad request' } }
  })
}

async function startApi(host: TestHost, origin: string, answer: (call: Call) => Answer): Promise<CdnApi> {
  const accepted: Call[] = []
  const failures: Answer[] = []
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const body: Record<string, unknown> = Object(JSON.parse((await text(request)) || '{}'))
    const call = { path: request.url ?? '', headers: request.headers, body }
    calls.push(call)
    // Purges of all pages are repeated at times that no test chooses.
    const isOfAll = JSON.stringify(body).includes('["site"]')
    const result = (isOfAll ? undefined : failures.shift()) ?? answer(call)
    if (result.status === 200) accepted.push(call)
    response.writeHead(result.status, { 'Content-Type': 'application/json', ...result.headers })
    response.end(JSON.stringify(result.body ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  // The extensions ask the real address; what they send to it is brought here.
  const undo = host.respond(({ method, url, headers, body }) => {
    if (!url.startsWith(origin)) return undefined
    return fetch(url.replace(origin, `http://127.0.0.1:${port}`), { method, headers, body, redirect: 'manual' })
  })
  return {
    accepted,
    calls,
    failWith: (...answers) => failures.push(...answers),
    async close() {
      undo()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
