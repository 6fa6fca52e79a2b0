import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { asAdministrator, call, startPushSite, subscribe } from './push-site.ts'
import { createSubscriber } from './subscriber.ts'

onEachDatabase('A stranger', (databaseUrl) => {
  let site: TestHost
  let at = 0

  before(async () => {
    site = await startPushSite({ config: { databaseUrl: await databaseUrl() } })
  })
  after(() => site.close())

  const endpoint = () => `https://push.example.com/stranger/${++at}`
  const list = () => call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)
  const isActive = () => site.host.extensions.list().find(({ id }) => id === 'pwa')?.state

  it('breaks nothing with a number that no date has', async () => {
    for (const expirationTime of [1e16, 1e17, 1e300, Number.MAX_VALUE, -1]) {
      const { status, code } = await call(site, 'POST', '/push-subscription/add', {
        ...createSubscriber(endpoint()).subscription,
        expirationTime,
      })
      expect({ status, code }, String(expirationTime)).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
    }
    expect((await list()).status).to.equal(200)
    expect(isActive()).to.equal('active')
  })

  it('breaks nothing by moving many subscriptions to one endpoint at once', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => subscribe(site, endpoint())))
    const { subscription } = createSubscriber(endpoint())
    const answers = await Promise.all(
      many.map(({ subscription: old }) =>
        call(site, 'PUT', '/push-subscription/update', {
          ...subscription,
          oldEndpoint: old.endpoint,
          auth: old.keys.auth,
        }),
      ),
    )
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409])
    expect(answers.map(({ status }) => status)).to.include(200)
    expect(isActive()).to.equal('active')
  })
})
