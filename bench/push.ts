/**
 * Notifications to 10,000 subscribers of four push services: sent by the PWA service, compared with a plain loop of
 * `webpush.sendNotification` with a concurrency of 50. Then again while one of the four hangs.
 *
 * The push services run in a separate process, over TLS, and respond immediately with 201. Both senders warm up before the
 * first round, so that code is compiled and connections are open. CPU time includes all threads.
 */
import { fork } from 'node:child_process'
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { createTestHost } from 'pentad/testing'
import webPush from 'web-push'
import { z } from 'zod'
import { median, printTarget } from './load.ts'

const SUBSCRIBERS = Number(process.argv[2] ?? 10_000)
const AT_ONCE = 50
const PWA = join(import.meta.dirname, '../plugins/pwa')

const services = fork(join(import.meta.dirname, 'push-services.ts'))
const [started] = await once(services, 'message')
const { origins, cert } = z.object({ origins: z.array(z.string()), cert: z.string() }).parse(started)
setDefaultCACertificates([cert])
const [hanging = ''] = origins

const subscriptions = Array.from({ length: SUBSCRIBERS }, (_, at) => {
  const endpoint = `${origins[at % origins.length]}/${randomBytes(24).toString('base64url')}`
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url')
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') } }
})

const site = await createTestHost({ extensions: [PWA], config: { environment: 'local' } })
const db = site.host.database.db.withTables<{ pwa_subscriptions: Record<string, string | number | null> }>()
for (let at = 0; at < subscriptions.length; at += 500) {
  const rows = subscriptions.slice(at, at + 500).map(({ endpoint, keys }) => ({
    ...{ endpoint, endpoint_hash: endpoint, origin: new URL(endpoint).origin, ...keys, encoding: 'aes128gcm' },
    ...{
      user_id: null,
      user_proven: 0,
      country: 'DE',
      operating_system: 'Android',
      browser: 'Chrome',
      device: 'Phone',
    },
    created_gmt: '2026-01-01 00:00:00',
  }))
  await db.insertInto('pwa_subscriptions').values(rows).execute()
}

const payload = JSON.stringify({ web_push: 8030, notification: { title: 'Bench', body: 'x'.repeat(300) } })
const vapidDetails = { subject: 'mailto:bench@example.org', ...webPush.generateVAPIDKeys() }

async function plainLoop(to = subscriptions): Promise<void> {
  const waiting = to.values()
  const work = async () => {
    for (const subscription of waiting) await webPush.sendNotification(subscription, payload, { vapidDetails })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

interface Counts {
  readonly sent: number
  readonly failed: number
  readonly total: number
}

async function throughTheService(): Promise<Counts & { jobId?: string }> {
  const answer = await site.request('/wp-json/pwa/v1/push-subscribers/send', {
    method: 'POST',
    as: 'administrator',
    body: { notificationData: { notificationTitle: 'Bench', notificationMessage: 'x'.repeat(300) } },
  })
  return JSON.parse(await answer.text()).data
}

/** CPU time of the push services so far, in microseconds. */
async function timeOfServices(): Promise<number> {
  services.send({ time: true })
  const [message] = await once(services, 'message')
  return z.object({ time: z.number() }).parse(message).time
}

async function measure(name: string, work: () => Promise<unknown>): Promise<number> {
  // Frees the garbage of the previous run.
  globalThis.gc?.()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  const before = process.memoryUsage().rss
  const servicesBefore = await timeOfServices()
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  const { user, system } = process.cpuUsage(cpuBefore)
  const services = ((await timeOfServices()) - servicesBefore) / SUBSCRIBERS
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const rate = SUBSCRIBERS / seconds
  const mega = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const cpu = `${Math.round((user + system) / SUBSCRIBERS)} µs CPU per message (+ ${Math.round(services)} µs of the push services)`
  const memory = `memory ${mega(before)} → ${mega(rss)}, peak ${mega(most)}; in use ${mega(heapUsed + external)}`
  console.log(`${name}: ${Math.round(rate)} per second, ${cpu}, ${memory}`)
  return rate
}

console.log(`${SUBSCRIBERS} subscribers, ${origins.length} push services, ${availableParallelism()} cores`)
await plainLoop(subscriptions.slice(0, 1000))
await throughTheService()
const ratios: number[] = []
for (let round = 1; round <= 3; round++) {
  const plain = await measure('plain loop of sendNotification', () => plainLoop())
  const ours = await measure('PWA service', async () => {
    const { sent, total } = await throughTheService()
    if (sent !== SUBSCRIBERS || total !== SUBSCRIBERS) throw new Error(`${sent} of ${total} were sent.`)
  })
  ratios.push(ours / plain)
  console.log(`round ${round}: ${(ours / plain).toFixed(2)} times as fast`)
}
printTarget('times as fast as a loop', median(ratios), 1)

// One push service accepts connections and never responds: time until the other three have received all their messages.
services.send({ hang: hanging })
const others = subscriptions.filter(({ endpoint }) => !endpoint.startsWith(hanging)).length
const start = performance.now()
const ended = throughTheService()
let seen = 0
while (seen < others) {
  services.send({ count: true })
  const [message] = await once(services, 'message')
  seen = z.object({ received: z.number() }).parse(message).received
  await new Promise((resolve) => setTimeout(resolve, 20))
}
const seconds = (performance.now() - start) / 1000
console.log(
  `one hangs: the other three received all ${others} in ${seconds.toFixed(1)} s, ${Math.round(others / seconds)} per second`,
)
const counts = await ended
console.log(`response after ${((performance.now() - start) / 1000).toFixed(0)} s:`, JSON.stringify(counts))
services.kill()
await site.close()
process.exit()
