import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startBucket, type TestBucket } from '../../support/bucket.ts'
import { type Cluster, startCluster } from '../../support/cluster.ts'
import { postgresBinaries } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { localCertificate, type PushServer, startPushServer } from './push-service.ts'
import { createSubscriber, type Subscriber } from './subscriber.ts'

const TITLES = ['First', 'Second', 'Third']

describe('Notifications of two nodes with nothing in common but PostgreSQL and a bucket', () => {
  let bucket: TestBucket
  let push: PushServer
  let cluster: Cluster
  const host = '127.0.0.1:8080'
  const authorities = process.env.NODE_EXTRA_CA_CERTS

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    bucket = await startBucket()
    push = await startPushServer()
    const certificate = join(temporaryFolder(), 'push.pem')
    writeFileSync(certificate, localCertificate().cert)
    process.env.NODE_EXTRA_CA_CERTS = certificate
    // Only a local site sends to push services on this machine.
    cluster = await startCluster(() => ({ url: `http://${host}`, environment: 'local', storageUrl: bucket.storageUrl }))
  })
  after(async () => {
    await cluster?.end()
    await push?.close()
    await bucket?.stop()
    if (authorities === undefined) delete process.env.NODE_EXTRA_CA_CERTS
    else process.env.NODE_EXTRA_CA_CERTS = authorities
  })

  async function call(node: number, method: string, path: string, body?: object) {
    const answer = await cluster.send(node, method, `/wp-json/pwa/v1${path}`, { asAdmin: true, ...(body && { body }) })
    expect(answer.status, answer.body).to.be.within(200, 299)
    return JSON.parse(answer.body).data
  }

  it('reach each subscriber once for each scheduled post', async () => {
    await call(0, 'PUT', '/settings', { settings: { pushAutomation: 'on', pushNewContent: 'on' } })
    const subscribers = new Map<string, Subscriber>()
    for (let at = 0; at < 12; at++) {
      const subscriber = createSubscriber(`${push.origin}/${at}`)
      await call(at % 2, 'POST', '/push-subscription/add', subscriber.subscription)
      subscribers.set(`/${at}`, subscriber)
    }
    const date = new Date(Date.now() + 4000).toISOString().slice(0, 19)
    for (const [at, title] of TITLES.entries()) {
      await cluster.write(at % 2, '/wp/v2/posts', { title, status: 'future', date_gmt: date })
    }
    await until(
      async () => {
        const { items } = await call(0, 'GET', '/push-subscribers/notifications')
        return items.filter(({ state }: { state: string }) => state === 'complete').length === TITLES.length
      },
      { seconds: 30 },
    )
    expect(push.refused).to.deep.equal([])
    for (const [path, subscriber] of subscribers) {
      const titles = push.of(path).map((message) => JSON.parse(subscriber.decrypt(message)).notification.title)
      expect(titles.toSorted()).to.deep.equal(TITLES)
    }
  })
})
