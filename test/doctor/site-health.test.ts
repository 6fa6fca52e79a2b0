import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Finding } from '../../app/doctor/types.ts'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'

const PASSWORD = 'the-smtp-password'
const TOKEN = 'the-metrics-token'

describe('Site Health', () => {
  let site: TestHost
  const as = 'administrator'
  before(async () => {
    const smtpUrl = `smtp://user:${PASSWORD}@127.0.0.1:9`
    site = await createTestHost({ services: true, config: { smtpUrl, metricsToken: TOKEN } })
  })
  after(() => site.close())

  async function findings(check: string): Promise<Finding[]> {
    const response = await site.get('/wp-json/host/v1/site-health', { as })
    const { data }: { data: { findings: Finding[] } } = JSON.parse(await response.text())
    return data.findings.filter((finding) => finding.check === check)
  }

  /** Does what the button of the finding does. */
  async function fix(finding: Finding | undefined): Promise<Response> {
    const action = finding?.action
    if (!action || !('request' in action)) throw new Error(`No request: ${JSON.stringify(finding)}`)
    const { method, path, data = {} } = action.request
    return site.request(`/wp-json/${path}`, { method, body: data, as })
  }

  it('is for administrators', async () => {
    for (const path of ['site-health', 'site-health/info'])
      expect((await site.get(`/wp-json/host/v1/${path}`, { as: 'editor' })).status).to.equal(403)
    const changed = await site.request('/wp-json/host/v1/site-health/permissions', { method: 'POST', as: 'editor' })
    expect(changed.status).to.equal(403)
  })

  it('has the findings of pentad doctor about the running site, without secrets', async () => {
    const response = await site.get('/wp-json/host/v1/site-health', { as })
    const text = await response.text()
    expect(text).to.include('The SMTP server 127.0.0.1:9 cannot be used').and.not.include(PASSWORD)
    expect((await findings('database')).map(({ level }) => level)).to.deep.equal(['ok'])
    expect((await findings('configuration')).map(({ level }) => level)).to.deep.equal(['ok'])
    expect((await findings('backups'))[0]?.message).to.include('no backup yet')
  })

  it('schedules backups, and turns on the page cache', async () => {
    await site.host.settings.get('speed')?.update({ pageCache: 'off' })
    const [cache] = await findings('page cache')
    expect(cache?.level).to.equal('warning')
    expect((await fix(cache)).status).to.equal(200)
    expect((await findings('page cache'))[0]?.level).to.equal('ok')
    const unscheduled = async () =>
      (await findings('backups')).find(({ message }) => /only created manually/.test(message))
    expect((await fix(await unscheduled())).status).to.equal(200)
    expect(await unscheduled()).to.equal(undefined)
  })

  it('restricts the permissions of files with secrets', async () => {
    const { siteDir } = site.host.config
    chmodSync(join(siteDir, 'options.json'), 0o644)
    chmodSync(siteDir, 0o777)
    const found = await findings('permissions')
    expect(found.map(({ level }) => level)).to.deep.equal(['error', 'error'])
    expect((await fix(found[0])).status).to.equal(200)
    expect((await findings('permissions')).map(({ level }) => level)).to.deep.equal(['ok'])
    expect(statSync(join(siteDir, 'options.json')).mode & 0o777).to.equal(0o600)
    expect(statSync(siteDir).mode & 0o777).to.equal(0o755)
  })

  it('leaves out the checks of a service that is deactivated', async () => {
    await site.host.extensions.deactivate('backup')
    expect(await findings('backups')).to.deep.equal([])
  })

  it('has information for support, without secrets', async () => {
    const text = await (await site.get('/wp-json/host/v1/site-health/info', { as })).text()
    expect(JSON.parse(text).data).to.have.keys('Server', 'Configuration', 'Appearance', 'Extensions')
    expect(text).to.include(process.versions.node).and.include('"speed":"').and.include('"smtpUrl":"set"')
    for (const secret of [PASSWORD, TOKEN, '127.0.0.1:9']) expect(text).not.to.include(secret)
  })
})
