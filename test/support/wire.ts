import { connect } from 'node:net'

/** Milliseconds after which a server that says nothing more is taken to have said all. */
const PATIENCE = 2_000

/** Sends bytes to a server and answers all that it says until it hangs up. */
export function speak(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.setTimeout(PATIENCE, () => socket.destroy())
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

/** Sends one GET of exactly that target, with header lines of one's own. */
export function ask(url: string, target: string, ...headers: readonly string[]): Promise<string> {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(url).host}`]
  return speak(url, [`GET ${target} HTTP/1.1`, ...host, ...headers, 'Connection: close', '', ''].join('\r\n'))
}

/** The status of an answer as it came; 0 if there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}
