/** The other end of Firefox's connection for push messages: WebSocket (RFC 6455) with the JSON messages of Mozilla's autopush. */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { z } from 'zod'

/** How Firefox acknowledges a message that it has decrypted and passed to the service worker. */
const DELIVERED = 100
/** Opcode of a text, in one frame (RFC 6455, 5.2). */
const TEXT = 1

const messageSchema = z.object({
  messageType: z.string().optional(),
  channelID: z.string().optional(),
  updates: z.array(z.object({ channelID: z.string(), code: z.number() })).optional(),
})

export interface FirefoxPushServer {
  /** Value of Firefox's preference `dom.push.serverURL`. */
  readonly url: string
  /** IDs of the channels of Firefox's subscriptions; the path of an endpoint is the ID of its channel. */
  readonly channels: ReadonlySet<string>
  /** Number of messages that Firefox has decrypted and passed on. */
  readonly delivered: number
  /** Passes an encrypted message on to Firefox. */
  deliver(channel: string, body: Buffer): void
  close(): void
}

/** @param origin - Where websites send their messages. */
export async function startFirefoxPushServer(origin: string): Promise<FirefoxPushServer> {
  const channels = new Set<string>()
  const connections = new Set<Duplex>()
  let delivered = 0

  function respond(text: string): object | undefined {
    const { messageType, channelID = '', updates = [] } = messageSchema.parse(JSON.parse(text))
    switch (messageType) {
      case 'hello':
        return { messageType, status: 200, uaid: randomUUID(), use_webpush: true, broadcasts: {} }
      case 'register':
        channels.add(channelID)
        return { messageType, status: 200, channelID, pushEndpoint: `${origin}/${channelID}` }
      case 'unregister':
        channels.delete(channelID)
        return { messageType, status: 200, channelID }
      case 'ack':
        delivered += updates.filter(({ code }) => code === DELIVERED).length
        return undefined
      default:
        // An empty object is a ping.
        return messageType === undefined ? {} : undefined
    }
  }

  const server = createServer()
  server.on('upgrade', ({ headers }, socket: Duplex) => {
    connections.add(socket)
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    socket.write(
      `${[
        'HTTP/1.1 101 Switching Protocols',
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
        `Sec-WebSocket-Protocol: ${headers['sec-websocket-protocol']}`,
      ].join('\r\n')}\r\n\r\n`,
    )
    let received: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      const { texts, rest } = readTexts(Buffer.concat([received, bytes]))
      received = rest
      for (const response of texts.map(respond)) if (response) socket.write(frameOf(response))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `ws://127.0.0.1:${address.port}/`,
    channels,
    get delivered() {
      return delivered
    },
    deliver(channelID, body) {
      const message = { version: randomUUID(), data: body.toString('base64url'), headers: { encoding: 'aes128gcm' } }
      for (const socket of connections) socket.write(frameOf({ messageType: 'notification', channelID, ...message }))
    },
    close() {
      for (const socket of connections) socket.destroy()
      server.close()
    },
  }
}

function frameOf(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message))
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([128 | TEXT, ...length]), payload])
}

/** The texts of the complete frames, which browsers mask, and the start of the next frame. */
function readTexts(bytes: Buffer): { readonly texts: readonly string[]; readonly rest: Buffer } {
  const texts: string[] = []
  let rest = bytes
  while (rest.length >= 6) {
    const short = rest.readUInt8(1) & 127
    const [length, start] = short === 126 ? [rest.readUInt16BE(2), 8] : [short, 6]
    if (rest.length < start + length) break
    const [frame, mask] = [rest, start - 4]
    const payload = frame.subarray(start, start + length).map((byte, at) => byte ^ frame.readUInt8(mask + (at % 4)))
    if ((frame.readUInt8(0) & 15) === TEXT) texts.push(Buffer.from(payload).toString())
    rest = frame.subarray(start + length)
  }
  return { texts, rest }
}
