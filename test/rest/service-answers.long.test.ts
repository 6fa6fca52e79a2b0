import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import { createSubscriber } from '../pwa/push/subscriber.ts'
import { type DescribedAnswers, describedAnswers } from '../support/described-answers.ts'
import { openSession } from '../support/session.ts'

type Headers = Readonly<Record<string, string>>

const PASSWORD = 'correct horse battery'

/** A push service that nobody answers at. */
const NOBODY = 'https://127.0.0.1:9/push'

/** What OpenAPI promises of the services, beside what they answer. */
describe('OpenAPI describes what the services answer', () => {
  let site: TestHost
  let answers: DescribedAnswers
  before(async () => {
    const { publicKey, privateKey } = generateLicenseKeyPair()
    const licenseKey = issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey)
    const license = { licensePublicKey: publicKey, licenseKey }
    site = await createTestHost({ services: true, config: { environment: 'local', ...license } })
    answers = describedAnswers(site.host.openApi())
  })
  after(() => site.close())

  /** Calls a route as an administrator, and expects its answer to fit what is promised. */
  async function check(method: string, route: string, body?: unknown, headers?: Headers): Promise<unknown> {
    const who = headers ? { headers } : { as: 'administrator' }
    const answer = await site.request(`/wp-json${route}`, { method, body, ...who })
    const text = await answer.text()
    expect(answer.ok, `${route}: ${text}`).to.equal(true)
    const path = route.replace(/\?.*/, '')
    const data = text === '' ? undefined : JSON.parse(text)
    if (data === undefined) expect(answers.contentOf(path, method.toLowerCase())).to.deep.equal({})
    else answers.expectToFit(path, data, method.toLowerCase())
    return data
  }

  it('every operation: a schema, a media type, or no body', () => {
    const isEmpty = (schema: unknown) => Object.keys(Object(schema)).every((key) => key === 'description')
    const silent = answers.operations.filter(([method, path]) => {
      const json = Object(answers.contentOf(path, method))['application/json']
      return json !== undefined && isEmpty(Object(json).schema)
    })
    expect(answers.operations.length).to.be.greaterThan(300)
    expect(silent.map((operation) => operation.join(' '))).to.deep.equal([])
  })

  it('speed', async () => {
    const html = await (await site.get('/')).text()
    const [, token] = /id="?speed-vitals"?>\{"token":"([^"]+)"/.exec(html) ?? []
    const metrics = [{ name: 'LCP', value: 1200, id: 'v5-1700000000000-1' }]
    const report = { token, url: `${site.url}/`, metrics }
    await check('POST', '/speed/v1/web-vitals/report', report, { Origin: site.url })
    for (const name of ['performance-score', 'history', 'cache-overview', 'optimized-assets', 'optimized-pages'])
      await check('GET', `/speed/v1/${name}/fetch`)
    await check('POST', '/speed/v1/cache-status')
    await check('POST', '/speed/v1/purge-current-page', { url: '/' })
    for (const scope of ['pages', 'cache', 'everything']) await check('POST', `/speed/v1/purge-${scope}-and-preload`)
    await check('POST', '/speed/v1/preload-cache')
    await check('POST', '/speed/v1/preload-cache/cancel')
    await check('POST', '/speed/v1/service-worker/generate')
  })

  it('pwa', async () => {
    const icon = readFileSync(join(import.meta.dirname, '../../docs/images/dashboard.png'))
    const { id: appIcon } = await site.host.content.media.upload({ source: icon, name: 'icon.png' })
    await check('PUT', '/pwa/v1/settings', { settings: { appIcon } })
    await check('POST', '/pwa/v1/pwa-assets/save')
    await check('GET', '/pwa/v1/pwa-assets/fetch')
    await check('POST', '/pwa/v1/pwa-assets/check')
    await check('GET', '/pwa/v1/pwa-score/fetch')
    await check('GET', '/pwa/v1/nonce')
    await check('PUT', '/pwa/v1/pwa-users/upsert', { displayMode: 'standalone' })
    await check('GET', '/pwa/v1/pwa-users/fetch')
    await check('POST', '/pwa/v1/service-worker/generate')
  })

  it('push notifications', async () => {
    const { endpoint, keys } = createSubscriber(NOBODY).subscription
    await check('POST', '/pwa/v1/push-subscription/add', { endpoint, keys })
    await check('POST', '/pwa/v1/push-subscription/sync', { endpoint, auth: keys.auth })
    const renewed = createSubscriber(`${NOBODY}/2`).subscription
    const renewal = { ...renewed, oldEndpoint: endpoint, auth: keys.auth }
    await check('PUT', '/pwa/v1/push-subscription/update', renewal)
    await check('GET', '/pwa/v1/push-subscribers/fetch')
    await check('GET', '/pwa/v1/push-subscribers/summary')
    const notificationData = { notificationTitle: 'News' }
    const sending = await check('POST', '/pwa/v1/push-subscribers/send', { notificationData, wait: false })
    const { jobId } = z.object({ data: z.object({ jobId: z.string() }) }).parse(sending).data
    await check('GET', `/pwa/v1/push-subscribers/progress?jobId=${jobId}`)
    await check('GET', '/pwa/v1/push-subscribers/notifications')
    await check('POST', '/pwa/v1/push-subscribers/cancel', { jobId })
    await check('DELETE', '/pwa/v1/push-subscription/remove', { endpoint: renewed.endpoint })
    await check('POST', '/pwa/v1/push-subscribers/send', { notificationData })
  })

  it('backup', async () => {
    const { auth } = site.host
    const owner = await auth.users.create({ login: 'owner', password: PASSWORD, roles: ['administrator'] })
    const jobShape = z.object({ data: z.object({ jobId: z.string() }) })
    const exclusions = ['uploads', 'themes', 'extensions', 'others']
    const { jobId } = jobShape.parse(await check('POST', '/backup/v1/backup/create', { exclusions })).data
    await check('GET', '/backup/v1/backup/overview')
    await ended(jobId)
    for (const name of ['fetch', 'overview', 'locations']) await check('GET', `/backup/v1/backup/${name}`)
    await check('GET', `/backup/v1/backup/logs?backupId=${jobId}`)
    await check('POST', '/backup/v1/backup/update', { backupId: jobId, title: 'Mine' })
    await check('POST', '/backup/v1/backup/test', { location: 'local' })
    await check('POST', '/backup/v1/backup/verify', { backupId: jobId })
    const path = '/backup/v1/backup/download'
    const archive = await site.request(`/wp-json${path}?backupId=${jobId}`, { as: 'administrator' })
    await archive.body?.cancel()
    expect(answers.contentOf(path)).to.have.property(archive.headers.get('content-type') ?? '')

    const restore = await check(
      'POST',
      '/backup/v1/restore/start',
      { backupId: jobId },
      await openSession(auth, owner, PASSWORD),
    )
    const { reloginToken } = z.object({ data: z.object({ reloginToken: z.string() }) }).parse(restore).data
    const restoreId = jobShape.parse(restore).data.jobId
    await ended(restoreId)
    await check('POST', '/backup/v1/restore/relogin', { token: reloginToken })
    const again = jobShape.parse(await check('POST', '/backup/v1/backup/create', { exclusions })).data
    await check('POST', '/backup/v1/backup/cancel', again)
    await check('DELETE', `/backup/v1/backup/remove?backupId=${jobId}`)
  })

  /** Asks for the progress of a job until it has ended; while a restore replaces the site, it does not answer. */
  async function ended(jobId: string): Promise<void> {
    const path = '/backup/v1/backup/progress'
    const state = z.object({ data: z.object({ state: z.string() }) })
    for (;;) {
      await wait(20)
      const asked = site.request(`/wp-json${path}?jobId=${jobId}`, { as: 'administrator' })
      const answer = await asked.catch(() => undefined)
      if (answer === undefined || answer.status === 503) continue
      const body: unknown = await answer.json()
      answers.expectToFit(path, body)
      const { data } = state.parse(body)
      if (data.state === 'running') continue
      expect(data.state).to.equal('complete')
      return
    }
  }
})
