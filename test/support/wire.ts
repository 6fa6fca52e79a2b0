import { connect } from 'node:net'

/** Milliseconds after which a server that sends nothing more is considered done, if it keeps the connection open. */
const PATIENCE = 2_000
/** The same for a request after which the server closes the connection: a page takes longer than that on a busy machine. */
const PATIENCE_UNTIL_CLOSED = 60_000

/** Sends bytes to a server. @returns everything that it sends until the connection is closed, or nothing arrives for `patience` ms */
export function speak(url: string, text: string, patience = PATIENCE): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.setTimeout(patience, () => socket.destroy())
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

/** Sends one GET of exactly that target, with header lines of one's own. */
export function ask(url: string, target: string, ...headers: readonly string[]): Promise<string> {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(url).host}`]
  const lines = [`GET ${target} HTTP/1.1`, ...host, ...headers, 'Connection: close', '', '']
  return speak(url, lines.join('\r\n'), PATIENCE_UNTIL_CLOSED)
}

/** The status of an answer as it came; 0 if there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}
