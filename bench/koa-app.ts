/** A minimal Koa app, for comparison. Environment: `BODY`, `BODY_TYPE`, `HEADERS` (JSON). */
import Koa from 'koa'

const body = Buffer.from(process.env.BODY ?? '{}')
const headers: string[] = JSON.parse(process.env.HEADERS ?? '[]')
const type = process.env.BODY_TYPE ?? 'json'

const app = new Koa()
app.use((context) => {
  context.type = type
  for (let at = 0; at < headers.length; at += 2) context.set(headers[at] ?? '', headers[at + 1] ?? '')
  context.body = body
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
