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
  return {
    send: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
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
        sending.once('error', reject)
        sending.end(body)
      }),
    close: () => agent.destroy(),
  }
}
