/**
 * Four push services over TLS for bench/push.ts. They respond with 201, or not at all after the message `hang`. Real ones run
 * on other machines, so these use as little CPU as possible: of HTTP/1.1 they only parse what they need to find the end of a
 * request with a `Content-Length`.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { z } from 'zod'

const folder = mkdtempSync(join(tmpdir(), 'pentad-push-'))
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=push']
const name = ['-addext', 'subjectAltName=IP:127.0.0.1']
execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
rmSync(folder, { recursive: true })

const CREATED = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')
const HEAD_END = '\r\n\r\n'

let hanging = ''
let received = 0
const origins: string[] = []

/** Calls the callback at the end of each request on a connection. */
function readRequests(socket: TLSSocket, ended: () => void): void {
  let head = ''
  let bodyLeft = 0
  socket.on('data', (chunk: Buffer) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyLeft === 0) {
        // The end of the headers may be split between two chunks.
        head += chunk.toString('latin1', at)
        const end = head.indexOf(HEAD_END)
        if (end === -1) return
        at = chunk.length - (head.length - end - HEAD_END.length)
        bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
        head = ''
      }
      const some = Math.min(bodyLeft, chunk.length - at)
      bodyLeft -= some
      at += some
      if (bodyLeft === 0) ended()
    }
  })
}

for (let at = 0; at < 4; at++) {
  const server = createServer({ key, cert }, (socket) => {
    socket.on('error', () => {})
    readRequests(socket, () => {
      if (origins[at] === hanging) return
      received++
      socket.write(CREATED)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address !== 'string') origins.push(`https://127.0.0.1:${address.port}`)
}
process.send?.({ origins, cert })
process.once('disconnect', () => process.exit())

const orderSchema = z.object({
  hang: z.string().optional(),
  count: z.boolean().optional(),
  time: z.boolean().optional(),
})
process.on('message', (message) => {
  const { hang, count, time } = orderSchema.parse(message)
  if (hang !== undefined) [hanging, received] = [hang, 0]
  if (count) process.send?.({ received })
  if (time) process.send?.({ time: process.cpuUsage().user + process.cpuUsage().system })
})
