import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { examineSite } from '../../app/doctor/index.ts'
import { type Cluster, sendTo, startCluster } from '../support/cluster.ts'
import { startPentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const SECRET = 'hidden/42'
/** Guesses of the password of a post that are allowed in five minutes. */
const GUESSES = 20

/** A server that does not know the command of the password, and repeats it, as proxies and servers with renamed commands do. */
async function startServerWithoutAuth() {
  const server = createServer((socket) => {
    socket.on('data', () => socket.write(`-ERR unknown command 'AUTH', with args beginning with: 'hidden'\r\n`))
    socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `redis://:hidden@127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    end: () => once(server.close(), 'close'),
  }
}

describe('Rate limits in Redis', () => {
  let redis: TestRedis
  let cluster: Cluster
  before(async function () {
    if ((!postgresBinaries || !hasRedis) && process.env.CI !== 'true') this.skip()
    redis = await startRedis(SECRET)
    cluster = await startCluster(() => ({ rateLimitUrl: redis.url() }))
  })
  after(async () => {
    await cluster?.end()
    await redis?.end()
  })

  const body = Buffer.from('post_password=wrong')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  async function guess(url: string, address: string): Promise<number> {
    const sent = { body, headers: { ...headers, 'x-forwarded-for': address } }
    return (await sendTo(new URL('/wp-login.php?action=postpass', url), 'POST', sent)).status
  }
  /** The number of guesses over these nodes, in turn, until one is rejected. */
  async function guessesUntilRejected(nodes: readonly number[], address: string): Promise<number> {
    for (let count = 0; count < 3 * GUESSES; count++) {
      const node = nodes[count % nodes.length] ?? 0
      if ((await guess(cluster.urlOf(node), address)) === 429) return count
    }
    return Number.POSITIVE_INFINITY
  }
  const logOf = (node: number) => `${cluster.nodes[node]?.output()}${cluster.nodes[node]?.errors()}`
  /** Counts of all networks, each with a time after which it is removed. */
  const counts = async () => [...(await redis.counts()).values()].map(Number)

  it('are shared by all nodes, and neither addresses nor rows of the database say who was counted', async () => {
    expect(await guessesUntilRejected([0, 1], '198.51.100.7')).to.equal(GUESSES)
    expect(await guess(cluster.urlOf(1), '198.51.100.7')).to.equal(429)
    const stored = [...(await redis.counts())]
    expect(stored).to.have.length(1)
    expect(stored[0]?.[0]).to.match(/^pentad:[\w-]{12}:post-password:[\w-]{43}$/)
    expect(await cluster.query('select * from rate_limits')).to.deep.equal([])
  })

  it('continue in memory while the server is gone, and are shared again afterward', async () => {
    await guessesUntilRejected([0], '198.51.101.7')
    await redis.end()
    expect(await guess(cluster.urlOf(0), '198.51.101.7'), 'rejected before').to.equal(429)
    expect(await guessesUntilRejected([0], '198.51.102.7')).to.equal(GUESSES)
    expect(await guessesUntilRejected([1], '198.51.102.7'), 'each node counts alone').to.equal(GUESSES)
    const reports = () => [0, 1].map((node) => logOf(node).match(/could not use Redis/g)?.length ?? 0)
    await until(() => reports().every((count) => count > 0))
    expect(reports()).to.deep.equal([1, 1])
    await redis.start()
    // Clients reconnect in the background.
    let attempt = 0
    for (const node of [0, 1]) {
      const before = (await counts()).length
      await until(async () => {
        await guess(cluster.urlOf(node), `198.51.${110 + node}.${++attempt}`)
        return (await counts()).length > before
      })
    }
    expect(await guessesUntilRejected([0, 1], '198.51.103.7')).to.equal(GUESSES)
  })

  it('continue in memory while the server does not answer', async () => {
    redis.pause()
    try {
      expect(await guessesUntilRejected([0], '198.51.104.7')).to.equal(GUESSES)
    } finally {
      redis.resume()
    }
  })

  it('use TLS, and only with a certificate that is trusted', async () => {
    const withTls = await startRedis(SECRET, { tls: true })
    const start = async (url: string, trusted: string | undefined) => {
      const folder = startedSite({ config: { rateLimitUrl: url, trustedProxies: ['127.0.0.1'] } })
      if (trusted !== undefined) process.env.NODE_EXTRA_CA_CERTS = trusted
      const site = await startPentad(folder).finally(() => delete process.env.NODE_EXTRA_CA_CERTS)
      try {
        await guess(site.url, '198.51.100.7')
        return `${site.output()}${site.errors()}`
      } finally {
        await site.end()
      }
    }
    try {
      expect(await start(withTls.url(), undefined))
        .to.match(/could not use Redis/)
        .and.not.include('hidden')
      expect((await withTls.counts()).size).to.equal(0)
      expect(await start(withTls.url(), withTls.certificate)).to.not.match(/could not use Redis/)
      expect((await withTls.counts()).size).to.equal(1)
    } finally {
      await withTls.end()
    }
  })

  it('are checked by pentad doctor, and neither it nor the log of the site shows a password', async () => {
    const withoutAuth = await startServerWithoutAuth()
    const finding = async (rateLimitUrl: string) => {
      const findings = await examineSite({ PENTAD_SITE_DIR: startedSite(), PENTAD_RATE_LIMIT_URL: rateLimitUrl })
      const [found] = findings.filter(({ check }) => check === 'rate limits')
      return `${found?.level}: ${found?.message}`
    }
    expect(await finding(redis.url())).to.match(/^ok: Rate limit counters are stored in Redis at 127\.0\.0\.1:\d+\.$/)
    expect(await finding(redis.url('hidden wrong'))).to.match(/^warning: .*\(WRONGPASS\)/)
    expect(await finding(withoutAuth.url)).to.match(/^warning: .*\(ERR\)/)
    expect(await finding('redis://:hidden@127.0.0.1:1')).to.match(/^warning: .*\(ECONNREFUSED\)/)
    expect(await finding('rediss://:hidden@127.0.0.1:1')).to.match(/^warning: .*\(ECONNREFUSED\)/)
    for (const [rateLimitUrl, problem] of [
      [redis.url('hidden wrong'), '"WRONGPASS"'],
      [withoutAuth.url, '"ERR"'],
    ] as const) {
      const site = await startPentad(startedSite({ config: { rateLimitUrl, logLevel: 'debug' } }))
      try {
        await guess(site.url, '198.51.100.7')
        await until(() => site.output().includes(problem))
        expect(site.output() + site.errors()).to.not.match(/hidden/)
      } finally {
        await site.end()
      }
    }
    await withoutAuth.end()
  })
})
