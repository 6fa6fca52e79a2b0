import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = { 1: 'A', 12: 'PTR', 28: 'AAAA' } as const

/** What a name server knows: `{ 'A crawl.example.com': ['192.0.2.1'], 'PTR 192.0.2.1': ['crawl.example.com'] }`. */
export type Zone = Readonly<Record<string, readonly string[]>>

/** A name server on this machine (RFC 1035). It does not answer for names that begin with `silent`. */
export async function startNameServer(zone: Zone) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query)
    const question = `${type} ${type === 'PTR' ? addressOf(name) : name}`
    asked.push(question)
    if (name.startsWith('silent')) return
    const values = zone[question] ?? []
    const head = Buffer.from(query.subarray(0, 12))
    // An answer; where there is nothing, that the name does not exist.
    head.writeUInt16BE(values.length > 0 ? 0x8180 : 0x8183, 2)
    head.fill(0, 6)
    head.writeUInt16BE(values.length, 6)
    const answers = values.map((value) => record(query.readUInt16BE(end - 4), dataOf(type, value)))
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

/** The name by its place in the question, class IN, a minute. */
function record(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
}

function dataOf(type: string, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'AAAA') return Buffer.from(hexOf(value), 'hex')
  const labels = value.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

/** All 32 digits of an IPv6 address. */
function hexOf(address: string): string {
  const [left = '', right = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const gap = 8 - groups(left).length - groups(right).length
  return [...groups(left), ...Array<string>(gap).fill('0'), ...groups(right)]
    .map((group) => group.padStart(4, '0'))
    .join('')
}

function questionOf(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = new Map<number, string>(Object.entries(TYPES).map(([code, name]) => [Number(code), name]))
  return { name: labels.join('.').toLowerCase(), type: type.get(query.readUInt16BE(at + 1)) ?? 'other', end: at + 5 }
}

/** `4.3.2.1.in-addr.arpa` is asked for 1.2.3.4; IPv6 addresses stay as they are asked for. */
function addressOf(name: string): string {
  return name.endsWith('.in-addr.arpa') ? name.split('.').slice(0, 4).reverse().join('.') : name
}
