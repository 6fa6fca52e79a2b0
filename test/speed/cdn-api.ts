/** Servers that speak the purge APIs of CDNs, with their limits, on this machine. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestHost } from 'pentad/testing'

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
  /** The body as it was received. */
  readonly raw: string
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
export const PULL_ZONE = '54321'
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

export const AKAMAI = {
  host: 'akab-test.luna.akamaiapis.net',
  clientToken: 'akab-client-token',
  accessToken: 'akab-access-token',
  clientSecret: TOKEN,
}

/** @see https://techdocs.akamai.com/purge-cache/reference and https://techdocs.akamai.com/developer/docs/authenticate-with-edgegrid */
export function startAkamai(host: TestHost): Promise<CdnApi> {
  const nonces = new Set<string>()
  const isAuthorized = ({ method, path, headers, raw }: Call) => {
    const [, signed = '', client, access, timestamp = '', nonce = '', signature] =
      /^(EG1-HMAC-SHA256 client_token=([^;]+);access_token=([^;]+);timestamp=([^;]+);nonce=([^;]+);)signature=(.+)$/.exec(
        headers.authorization ?? '',
      ) ?? []
    const time = timestamp.replace(/^(\d{4})(\d\d)(\d\dT[\d:]{8})\+0000$/, '$1-$2-$3Z')
    const isRecent = Math.abs(Date.now() - Date.parse(time)) < 30_000 && !nonces.has(nonce)
    nonces.add(nonce)
    const key = createHmac('sha256', AKAMAI.clientSecret).update(timestamp).digest('base64')
    const digest = createHash('sha256').update(raw).digest('base64')
    const text = `${method}\thttps\t${AKAMAI.host}\t${path}\t\t${digest}\t${signed}`
    const expected = createHmac('sha256', key).update(text).digest('base64')
    return isRecent && client === AKAMAI.clientToken && access === AKAMAI.accessToken && signature === expected
  }
  return startApi(host, `https://${AKAMAI.host}`, (call) => {
    const refused = (httpStatus: number, title: string) => ({ status: httpStatus, body: { httpStatus, title } })
    if (!isAuthorized(call)) return refused(401, 'Not authorized')
    if (!/^\/ccu\/v3\/(invalidate|delete)\/(tag|url)\/production$/.test(call.path)) return refused(404, 'Not found')
    if (call.raw.length > 50_000) return refused(413, 'Request entity too large')
    const { objects } = call.body
    if (!Array.isArray(objects) || objects.length === 0) return refused(400, 'Bad request')
    return { status: 201, body: { httpStatus: 201, detail: 'Request accepted', estimatedSeconds: 5, purgeId: 'x' } }
  })
}

/** @see https://docs.bunny.net/cdn/purge-cache */
export function startBunny(host: TestHost): Promise<CdnApi> {
  return startApi(host, 'https://api.bunny.net', ({ method, path, headers, body }) => {
    if (headers.accesskey !== TOKEN) return { status: 401, body: { Message: 'Authorization has been denied.' } }
    const isUrl = path.startsWith('/purge?url=http')
    if (method !== 'POST' || (!isUrl && path !== `/pullzone/${PULL_ZONE}/purgeCache`)) return { status: 404 }
    if (isUrl) return { status: 200 }
    return { status: typeof body.CacheTag === 'string' ? 204 : 400 }
  })
}

/** @see https://www.keycdn.com/api */
export function startKeyCdn(host: TestHost): Promise<CdnApi> {
  return startApi(host, 'https://api.keycdn.com', ({ method, path, headers, body, raw }) => {
    const refused = (status: number, description: string) => ({ status, body: { status: 'error', description } })
    if (headers.authorization !== `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`)
      return refused(403, 'Access denied.')
    const kind = /^\/zones\/purge(tag|url)\/12345\.json$/.exec(path)?.[1]
    if (method !== 'DELETE' || kind === undefined) return refused(404, 'Not found.')
    if (raw.length > 6000) return refused(413, 'Too large.')
    const list = body[`${kind}s`]
    if (!Array.isArray(list) || list.length === 0 || list.some((item) => String(item).includes('://')))
      return refused(400, 'Missing parameter.')
    return { status: 200, body: { status: 'success', description: 'Cache has been cleared.' } }
  })
}

async function startApi(host: TestHost, origin: string, answer: (call: Call) => Answer): Promise<CdnApi> {
  const accepted: Call[] = []
  const failures: Answer[] = []
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const body: Record<string, unknown> = Object(JSON.parse(raw || '{}'))
    const { method = '', url = '', headers } = request
    const call = { method, path: url, headers, body, raw }
    calls.push(call)
    // Purges of all pages are repeated at times that no test chooses.
    const isOfAll = /\["site"\]|"CacheTag":"site"/.test(raw)
    const result = (isOfAll ? undefined : failures.shift()) ?? answer(call)
    if (result.status < 300) accepted.push(call)
    response.writeHead(result.status, { 'Content-Type': 'application/json', ...result.headers })
    response.end(result.status === 204 ? undefined : JSON.stringify(result.body ?? {}))
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
