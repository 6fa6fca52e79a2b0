/** Four push services over TLS for bench/push.ts. They answer 201, or nothing once they were told to hang. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const folder = mkdtempSync(join(tmpdir(), 'pentad-push-'))
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=push']
const name = ['-addext', 'subjectAltName=IP:127.0.0.1']
execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
rmSync(folder, { recursive: true })

let hanging = ''
let received = 0
const origins: string[] = []
for (let at = 0; at < 4; at++) {
  const server = createServer({ key, cert }, (request, response) => {
    request.resume()
    request.on('end', () => {
      if (origins[at] === hanging) return
      received++
      response.writeHead(201, { 'Content-Length': 0 }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address !== 'string') origins.push(`https://127.0.0.1:${address.port}`)
}
process.send?.({ origins, cert })

const orderSchema = z.object({ hang: z.string().optional(), count: z.boolean().optional() })
process.on('message', (message) => {
  const { hang, count } = orderSchema.parse(message)
  if (hang !== undefined) [hanging, received] = [hang, 0]
  if (count) process.send?.({ received })
})
