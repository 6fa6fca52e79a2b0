/** A push service on this machine: TLS, RFC 8030, VAPID verified by RFC 8292. */
import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { z } from 'zod'
import type { Received } from './subscriber.ts'

/** What the service does with a message: a status, headers too, or something else altogether. */
export type Answer =
  | number
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | 'hang'
  | 'drop'

export interface Message extends Received {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface PushServer {
  readonly origin: string
  /** Messages that came with a valid VAPID signature, whatever they were answered. */
  readonly messages: readonly Message[]
  /** Why messages were refused. */
  readonly refused: readonly string[]
  readonly connections: number
  /** Answers of one endpoint in turn; the last one stays. Default: 201. */
  answer(path: string, ...answers: Answer[]): void
  /** Answers 201 to all that hang. */
  release(): void
  of(path: string): readonly Message[]
  close(): Promise<void>
}

const jwtSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string() })

/** Made once for all servers; this process trusts it. */
let certificate: { readonly key: string; readonly cert: string } | undefined

/** A key and a certificate for this machine, which this process trusts from now on. */
export function localCertificate(): { readonly key: string; readonly cert: string } {
  if (certificate) return certificate
  const folder = mkdtempSync(join(tmpdir(), 'pentad-push-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  setDefaultCACertificates([...getCACertificates(), certificate.cert])
  return certificate
}

export async function startPushServer(): Promise<PushServer> {
  const messages: Message[] = []
  const refused: string[] = []
  const answers = new Map<string, Answer[]>()
  const hanging: ServerResponse[] = []
  let origin = ''
  let connections = 0

  const server = createServer(localCertificate(), (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => receive(request, response, Buffer.concat(chunks)))
    request.on('error', () => {})
  })
  server.on('secureConnection', () => connections++)

  function receive({ url: path = '', method, headers }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const fault = method === 'POST' ? faultOf(headers, body, origin) : `method ${method}`
    if (fault !== undefined) {
      refused.push(fault)
      response.writeHead(400).end(fault)
      return
    }
    messages.push({ path, headers, body, time: Date.now() })
    const queue = answers.get(path) ?? []
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? 201
    if (answer === 'hang') hanging.push(response)
    else if (answer === 'drop') response.destroy()
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(answer.status, answer.headers).end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The push service has no port.')
  origin = `https://127.0.0.1:${address.port}`
  return {
    origin,
    messages,
    refused,
    get connections() {
      return connections
    },
    answer: (path, ...given) => void answers.set(path, given),
    release() {
      for (const response of hanging.splice(0)) response.writeHead(201).end()
    },
    of: (path) => messages.filter((message) => message.path === path),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a push service would refuse a message for. */
function faultOf(headers: IncomingMessage['headers'], body: Buffer, origin: string): string | undefined {
  const isOld = headers['content-encoding'] === 'aesgcm'
  const authorization = headers.authorization ?? ''
  const jwt = (isOld ? /^WebPush (\S+)$/ : /^vapid t=([^,]+), k=/).exec(authorization)?.[1]
  const key = (isOld ? /p256ecdsa=([\w-]+)/ : /k=([\w-]+)$/).exec(
    isOld ? String(headers['crypto-key']) : authorization,
  )?.[1]
  if (jwt === undefined || key === undefined) return 'no VAPID header'
  const [head = '', payload = '', signature = ''] = jwt.split('.')
  if (!verifyJwt(`${head}.${payload}`, signature, key)) return 'wrong VAPID signature'
  const { aud, exp, sub } = jwtSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (aud !== origin) return `VAPID is for ${aud}`
  const life = exp - Date.now() / 1000
  if (life <= 0 || life > 86_400) return `VAPID lives ${life} seconds`
  if (!/^(?:mailto:[^ ]+@|https:)/.test(sub)) return `VAPID subject ${sub}`
  if (!/^\d+$/.test(String(headers.ttl))) return 'no TTL'
  if (!/^[\w-]{1,32}$/.test(String(headers.topic))) return `topic ${headers.topic}`
  return body.length > 4096 ? `${body.length} bytes` : undefined
}

/** ES256 (RFC 7518, 3.4). */
function verifyJwt(signed: string, signature: string, publicKey: string): boolean {
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: part(point, 1), y: part(point, 33) }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
}

function part(point: Buffer, at: number): string {
  return point.subarray(at, at + 32).toString('base64url')
}
