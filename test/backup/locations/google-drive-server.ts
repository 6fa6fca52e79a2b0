/**
 * A server that speaks as much of Google Drive as backups use: OAuth token refresh (RFC 6749, section 6), files, and the
 * resumable upload protocol ("Perform a resumable upload" of the Drive API's guide).
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createReadStream,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { temporaryFolder } from '../../support/site-folder.ts'

interface DriveFile {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly parents: readonly string[]
  readonly path: string
}

/** An answer that a test wants to see given instead of the real one. */
export interface Refusal {
  readonly status: number
  readonly reason?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface GoogleDriveServer {
  readonly port: number
  /** Requests so far: `PUT /upload/session/…` and their `Content-Range`. */
  readonly requests: readonly { method: string; path: string; range: string | undefined }[]
  readonly files: readonly DriveFile[]
  /** How often a token was asked for. */
  readonly refreshes: number
  /** Answers the next requests that match with a refusal, as often as told. */
  refuse(matches: RegExp, refusal: Refusal, times?: number): void
  /** Forgets the access tokens given out. */
  expireTokens(): void
  /** Forgets the upload sessions, as Google does after a week. */
  expireSessions(): void
  /** Refresh tokens are refused from now on, as when the owner took the permission back. */
  revoke(): void
  /** Keeps only this many bytes of the next chunk, as Google may. */
  takeOnly(bytes: number): void
  /** Damages the next file that comes in. */
  damageNext(): void
  stop(): Promise<void>
}

export const GOOGLE_SETTINGS = {
  googleDriveClientId: 'client',
  googleDriveClientSecret: 'client secret',
  googleDriveRefreshToken: 'refresh token',
  googleDriveFolder: "Anna's backups",
}

export async function startGoogleDrive(): Promise<GoogleDriveServer> {
  const folder = temporaryFolder()
  const files: DriveFile[] = []
  const tokens = new Set<string>()
  const sessions = new Map<
    string,
    { name: string; parents: string[]; size: number; path: string; received: number; done?: DriveFile }
  >()
  const requests: { method: string; path: string; range: string | undefined }[] = []
  const refusals: { matches: RegExp; refusal: Refusal; times: number }[] = []
  let refreshes = 0
  let isRevoked = false
  let mostBytes = Number.POSITIVE_INFINITY
  let damages = 0
  let origin = ''

  const sums = new Map<string, string>()
  const sum = ({ id, path }: DriveFile) => {
    const known = sums.get(id) ?? createHash('sha256').update(readFileSync(path)).digest('hex')
    sums.set(id, known)
    return known
  }
  const shown = (file: DriveFile) => ({
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.path && { size: String(statSync(file.path).size), sha256Checksum: sum(file) }),
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, origin)
    requests.push({ method, path: pathname, range: request.headers['content-range'] })
    const refused = refusals.find(({ matches, times }) => times > 0 && matches.test(`${method} ${url}`))
    if (refused) {
      refused.times -= 1
      request.resume()
      await once(request, 'end')
      return fail(response, refused.refusal)
    }
    if (pathname === '/token') return token(request, response)
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
      request.resume()
      return fail(response, { status: 401, reason: 'authError' })
    }
    if (pathname === '/upload/drive/v3/files' && searchParams.get('uploadType') === 'resumable') {
      const { name, parents } = JSON.parse((await body(request)).toString())
      const id = randomUUID()
      const path = join(folder, id)
      writeFileSync(path, '')
      sessions.set(id, { name, parents, size: Number(request.headers['x-upload-content-length']), path, received: 0 })
      response.writeHead(200, { Location: `${originOf(request)}/upload/session/${id}` }).end()
      return
    }
    if (pathname === '/upload/drive/v3/files') return multipart(request, response)
    if (pathname.startsWith('/upload/session/')) return session(request, response, pathname.slice(16))
    if (pathname === '/drive/v3/files' && method === 'GET') return list(response, searchParams.get('q') ?? '')
    if (pathname === '/drive/v3/files' && method === 'POST') {
      const { name, mimeType, parents } = JSON.parse((await body(request)).toString())
      const file = { id: randomUUID(), name, mimeType, parents, path: '' }
      files.push(file)
      return json(response, 200, shown(file))
    }
    const at = files.findIndex(({ id }) => pathname === `/drive/v3/files/${id}`)
    const file = files[at]
    if (!file) return fail(response, { status: 404, reason: 'notFound' })
    if (method === 'DELETE') {
      files.splice(at, 1)
      response.writeHead(204).end()
      return
    }
    const size = statSync(file.path).size
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    const start = Number(range?.[1] ?? 0)
    const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1
    response.writeHead(range ? 206 : 200, {
      'Content-Length': end + 1 - start,
      'Content-Type': 'application/octet-stream',
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    })
    await pipeline(createReadStream(file.path, { start, end }), response)
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await body(request)).toString())
    refreshes += 1
    if (form.get('client_secret') !== GOOGLE_SETTINGS.googleDriveClientSecret) {
      return json(response, 401, { error: 'invalid_client' })
    }
    if (isRevoked || form.get('refresh_token') !== GOOGLE_SETTINGS.googleDriveRefreshToken) {
      return json(response, 400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' })
    }
    const access = randomUUID()
    tokens.add(access)
    json(response, 200, { access_token: access, expires_in: 3599, token_type: 'Bearer' })
  }

  async function session(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const upload = sessions.get(id)
    if (!upload) {
      request.resume()
      return fail(response, { status: 404, reason: 'notFound' })
    }
    if (request.method === 'DELETE') {
      sessions.delete(id)
      response.writeHead(499).end()
      return
    }
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
    if (range) {
      if (Number(range[1]) > upload.received || (Number(range[2]) + 1 - Number(range[1])) % 262_144 !== 0) {
        if (Number(range[2]) + 1 !== upload.size) {
          request.resume()
          return fail(response, { status: 400, reason: 'badRequest' })
        }
      }
      await receive(request, upload, Number(range[1]))
    } else {
      request.resume()
    }
    if (upload.received < upload.size) {
      const headers = upload.received > 0 ? { Range: `bytes=0-${upload.received - 1}` } : {}
      response.writeHead(308, headers).end()
      return
    }
    if (!upload.done) {
      if (damages > 0) {
        damages -= 1
        const opened = openSync(upload.path, 'r+')
        writeSync(opened, 'damaged', 0)
        closeSync(opened)
      }
      upload.done = {
        id,
        name: upload.name,
        mimeType: 'application/octet-stream',
        parents: upload.parents,
        path: upload.path,
      }
      files.push(upload.done)
    }
    json(response, 200, shown(upload.done))
  }

  /** What came before a connection broke is kept, in whole quarters of a mebibyte, as Google does. */
  async function receive(
    request: IncomingMessage,
    upload: { path: string; received: number; size: number },
    start: number,
  ): Promise<void> {
    const opened = openSync(upload.path, 'r+')
    let position = start
    try {
      for await (const chunk of request) {
        const bytes = chunk.subarray(0, Math.max(0, mostBytes - (position - start)))
        writeSync(opened, bytes, 0, bytes.length, position)
        position += bytes.length
      }
      mostBytes = Number.POSITIVE_INFINITY
      upload.received = position
    } catch (error) {
      upload.received = Math.max(upload.received, Math.floor(position / 262_144) * 262_144)
      throw error
    } finally {
      closeSync(opened)
    }
  }

  async function multipart(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
    const [, metadata = '', content = ''] = (await body(request)).toString().split(`--${boundary}`)
    const bodyOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
    const { name, parents } = JSON.parse(bodyOf(metadata))
    const id = randomUUID()
    const path = join(folder, id)
    writeFileSync(path, bodyOf(content))
    const file = { id, name, mimeType: 'text/plain', parents, path }
    files.push(file)
    json(response, 200, shown(file))
  }

  function list(response: ServerResponse, query: string): void {
    const string = (pattern: RegExp) => pattern.exec(query)?.[1]?.replace(/\\(.)/g, '$1')
    const name = string(/name = '((?:\\.|[^'\\])*)'/)
    const parent = string(/'([^']*)' in parents/)
    const type = string(/mimeType = '([^']*)'/)
    const notType = string(/mimeType != '([^']*)'/)
    json(response, 200, {
      files: files
        .filter(
          (file) =>
            (name === undefined || file.name === name) &&
            (parent === undefined || file.parents.includes(parent)) &&
            (type === undefined || file.mimeType === type) &&
            (notType === undefined || file.mimeType !== notType),
        )
        .map(shown),
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  origin = `http://127.0.0.1:${address.port}`

  return {
    port: address.port,
    requests,
    files,
    get refreshes() {
      return refreshes
    },
    refuse: (matches, refusal, times = 1) => refusals.push({ matches, refusal, times }),
    expireTokens: () => tokens.clear(),
    expireSessions: () => sessions.clear(),
    revoke() {
      isRevoked = true
      tokens.clear()
    },
    takeOnly(bytes) {
      mostBytes = bytes
    },
    damageNext() {
      damages += 1
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A session's address names the host that the client spoke to, so that it stays behind a proxy. */
function originOf(request: IncomingMessage): string {
  return `http://${request.headers.host}`
}

async function body(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** "Resolve errors" of the Drive API's guide. */
function fail(response: ServerResponse, { status, reason = 'backendError', headers = {} }: Refusal): void {
  const error = { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] }
  json(response, status, { error }, headers)
}
