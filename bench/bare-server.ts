/** A plain server of `node:http`, for comparison in `bench/page-cache`. Environment: `BODY`, `HEADERS` (JSON). */
import { createServer } from 'node:http'

const body = Buffer.from(process.env.BODY ?? '')
const headers: string[] = JSON.parse(process.env.HEADERS ?? '[]')

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
