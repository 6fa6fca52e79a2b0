import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { lingerForBody } from '../../core/http/linger.ts'
import { until } from '../support/until.ts'

/** More than the buffers of a connection take. */
const SIZE = 8 * 1024 * 1024

describe('a body that is refused before it has come', () => {
  let site: TestHost
  let stubborn: Server
  before(async () => {
    site = await createTestHost()
    stubborn = createServer((request, response) => {
      lingerForBody(request, 1)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(stubborn, 'listening')
  })
  after(() => {
    stubborn.close()
    return site.close()
  })

  /** A client that sends the first byte of a body, and closes the connection when it has the answer. */
  async function send(port: number | string): Promise<{ socket: Socket; received: () => string; errors: unknown[] }> {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    const errors: unknown[] = []
    let text = ''
    socket.on('error', (error) => errors.push(error))
    socket.on('data', (part) => {
      text += part
    })
    const headers = ['Content-Type: application/octet-stream', `Content-Length: ${SIZE}`, 'Connection: close']
    socket.write(`POST /wp-json/wp/v2/media HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join('\r\n')}\r\n\r\nx`)
    return { socket, errors, received: () => text }
  }

  it('is read to its end, so that the client that sends it finds the answer', async () => {
    const { socket, received, errors } = await send(new URL(site.url).port)
    await until(() => received().includes('rest_cannot_create'))
    await new Promise((resolve) => socket.write(Buffer.alloc(SIZE - 1), resolve))
    socket.end()
    if (!socket.closed) await once(socket, 'close')
    expect(errors).to.deep.equal([])
    expect(received()).to.match(/^HTTP\/1\.1 401 /)
  })

  it('is not waited for longer than a while', async () => {
    const address = stubborn.address()
    const { socket } = await send(address && typeof address === 'object' ? address.port : 0)
    await once(socket, 'end')
    await until(() => {
      socket.write('x')
      return socket.destroyed
    })
  })
})
