import { Agent, request } from 'node:http'

export interface Sent {
  readonly method?: string
  /** As it goes on the wire: nothing puts `..` or `//` right. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends requests exactly as they are written, over connections that are kept. */
export function openSender(url: string): { send(sent: Sent): Promise<Received>; close(): void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const sendOnce = ({ method = 'GET', path, headers = {}, body }: Sent) =>
    new Promise<Received>((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const sending = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } })
      sending.once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const { statusCode = 0 } = response
          resolve({ status: statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() })
        })
      })
      sending.once('error', (error) => reject(new Unanswered(error, sending.reusedSocket)))
      sending.end(body)
    })

  return {
    // The server may close a connection that was kept just when the next request is on its way (RFC 9112, 9.3.1).
    send: (sent) =>
      sendOnce(sent).catch((error: unknown) => {
        if (error instanceof Unanswered && error.wasKept && (sent.method ?? 'GET') === 'GET') return sendOnce(sent)
        throw error
      }),
    close: () => agent.destroy(),
  }
}

/** A request whose connection ended before the answer came. */
class Unanswered extends Error {
  readonly code: string | undefined
  /** Whether an earlier request had used the connection. */
  readonly wasKept: boolean

  constructor(cause: NodeJS.ErrnoException, wasKept: boolean) {
    super(cause.message, { cause })
    this.code = cause.code
    this.wasKept = wasKept
  }
}
