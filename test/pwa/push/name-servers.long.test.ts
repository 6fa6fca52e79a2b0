import { createSocket, type Socket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { send, startPushSite, subscribe } from './push-site.ts'

describe('The name of a push service', () => {
  const before = getServers()
  let names: { readonly asked: string[]; readonly socket: Socket }
  let push: PushServer
  let site: TestHost

  beforeEach(async () => {
    names = await startNameServer({ 'inside.example.com': '10.0.0.1', 'here.example.com': '127.0.0.1' })
    setServers([`127.0.0.1:${names.socket.address().port}`])
    push = await startPushServer()
    site = await startPushSite()
  })
  afterEach(async () => {
    setServers(before)
    await site.close()
    await push.close()
    names.socket.close()
  })

  it('does not resolve into the private network of the site', async () => {
    await subscribe(site, 'https://inside.example.com/1')
    await subscribe(site, 'https://here.example.com/1')
    expect((await send(site)).data).to.deep.equal({ sent: 0, failed: 2, removed: 0, total: 2 })
    expect(names.asked).to.include.members(['inside.example.com', 'here.example.com'])
  })

  it('delays no other push service if its DNS does not respond', async () => {
    for (let at = 1; at <= 20; at++) await subscribe(site, `https://silent-${at}.example.com/1`)
    // This server knows itself by its number only, and refuses: that it was called is what counts.
    await subscribe(site, `${push.origin.replace('127.0.0.1', 'localhost')}/1`)
    void send(site)
    await until(() => push.refused.length === 1)
    await until(() => names.asked.some((name) => name.startsWith('silent-')))
  })
})

/** A name server on this machine (RFC 1035) that knows these names, and never answers for others. */
async function startNameServer(addresses: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, end } = questionOf(query)
    asked.push(name)
    const known = addresses[name]
    if (known === undefined) return
    const isIpv4 = query.readUInt16BE(end - 4) === 1
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.fill(0, 6)
    head.writeUInt16BE(isIpv4 ? 1 : 0, 6)
    // The name by its place in the question, type A, class IN, a minute, four bytes.
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...known.split('.').map(Number)])
    socket.send(Buffer.concat([head, query.subarray(12, end), ...(isIpv4 ? [answer] : [])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { asked, socket }
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}
