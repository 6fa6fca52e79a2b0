import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'

describe('POST /seo/v1/setup/complete', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  const stored = () => site.host.options.get('seo_settings')
  const complete = (body: unknown, as = 'administrator') =>
    site.request('/wp-json/seo/v1/setup/complete', { method: 'POST', as, body })

  it('is an administrator’s', async () => {
    expect((await complete({ answers: {} }, 'editor')).status).to.equal(403)
  })

  it('keeps the answers and sets the settings that they name', async () => {
    const answers = { titleSeparator: '·', organizationName: 'Kitchen Ltd', siteType: 'shop', pages: ['about', 'shop'] }
    const before = Date.now()
    const answer = await complete({ answers })
    expect(answer.status).to.equal(200)
    const { data } = JSON.parse(await answer.text())
    expect(data.completed).to.equal(true)
    expect(Date.parse(data.completedAt)).to.be.within(before, Date.now())
    expect(stored()).to.deep.include({
      titleSeparator: '·',
      organizationName: 'Kitchen Ltd',
      setup: { completedAt: data.completedAt, answers },
    })
    expect(stored()).not.to.have.any.keys('siteType', 'pages')
    const page = await (await site.get('/hello-world/')).text()
    expect(page).to.match(/<title>[^<]* · [^<]*<\/title>/)
  })

  it('may be done again; settings that were not asked for stay', async () => {
    await set(site, { personName: 'Ada' })
    expect((await complete({ answers: { titleSeparator: '|' } })).status).to.equal(200)
    expect(stored()).to.deep.include({ titleSeparator: '|', organizationName: 'Kitchen Ltd', personName: 'Ada' })
  })

  it('takes nothing of it if one answer is wrong', async () => {
    const before = stored()
    const answer = await complete({ answers: { titleSeparator: '~', schemaType: 'Robot', siteType: 'blog' } })
    expect(answer.status).to.equal(400)
    const { code, data } = JSON.parse(await answer.text())
    expect(code).to.equal('rest_invalid_param')
    expect(Object.keys(data.params)).to.deep.equal(['schemaType'])
    expect(stored()).to.deep.equal(before)
  })

  it('fires the same actions as other changes of settings', async () => {
    const told: unknown[] = []
    const remove = site.host.hooks.addAction(
      'seo_settings_update:after',
      ({ titleSeparator }) => void told.push(titleSeparator),
    )
    await complete({ answers: { titleSeparator: '»' } })
    remove()
    expect(told).to.deep.equal(['»'])
  })

  for (const body of [{}, { answers: null }, { answers: ['all'] }, { answers: 'all' }])
    it(`refuses ${JSON.stringify(body)}`, async () => {
      expect((await complete(body)).status).to.equal(400)
    })

  it('refuses more than settings can hold, and names that reach a prototype', async () => {
    const before = stored()
    expect((await complete({ answers: { story: 'x'.repeat(70_000) } })).status).to.equal(400)
    const poisoned = await fetch(`${site.url}/wp-json/seo/v1/setup/complete`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: await authorization() },
      body: '{"answers":{"__proto__":{"polluted":true},"constructor":1}}',
    })
    expect(poisoned.status).to.equal(400)
    expect(stored()).to.deep.equal(before)
    expect({}).not.to.have.property('polluted')
  })

  async function authorization(): Promise<string> {
    const user = await site.host.auth.users.getByLogin('test-administrator')
    const { password } = await site.host.auth.applicationPasswords.create(user?.id ?? 0, 'raw')
    return `Basic ${btoa(`test-administrator:${password}`)}`
  }
})

describe('GET /seo/v1/setup', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  const setup = async () => {
    const answer = await site.get('/wp-json/seo/v1/setup', { as: 'administrator' })
    return JSON.parse(await answer.text()).data
  }

  it('returns the steps, each with existing settings, and no setting twice', async () => {
    const { completedAt, steps } = await setup()
    expect(completedAt).to.equal(null)
    const asked: string[] = steps.flatMap((step: { settings: string[] }) => step.settings)
    expect(asked).to.have.length.above(10)
    expect(new Set(asked).size).to.equal(asked.length)
    const { properties = {} } = site.host.settings.get('seo')?.jsonSchema() ?? {}
    expect(properties).to.include.all.keys(...asked)
  })

  it('returns when the wizard was finished', async () => {
    const body = { answers: { titleSeparator: '·' } }
    const answer = await site.request('/wp-json/seo/v1/setup/complete', { method: 'POST', as: 'administrator', body })
    expect((await setup()).completedAt).to.equal(JSON.parse(await answer.text()).data.completedAt)
  })

  it('is an administrator’s', async () => {
    expect((await site.get('/wp-json/seo/v1/setup', { as: 'editor' })).status).to.equal(403)
  })
})
