import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { call } from '../redirects/redirects-site.ts'
import { openSeoSite } from '../seo-site.ts'

const PATH = '/legacy-seo/migrate'

describe('POST /seo/v1/legacy-seo/migrate', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  /** The last migration once it has ended. */
  async function ended() {
    for (;;) {
      const { migration } = (await call(site, 'GET', PATH)).data
      if (migration?.state !== 'running') return migration
      await site.host.jobs.advance(migration.jobId)
    }
  }
  const titleOf = async (id: number) => (await site.host.content.meta.of('post', [id])).get(id)?._seo_title?.[0]

  it('says that there was none yet', async () => {
    expect((await call(site, 'GET', PATH)).data).to.deep.equal({ migration: null })
  })

  it('takes over what was left, with progress and a report that stays', async () => {
    const { content } = site.host
    const ids: number[] = []
    for (let at = 0; at < 230; at++) {
      const meta = { _yoast_wpseo_title: [`Bread ${at} %%sep%% %%sitename%%`] }
      ids.push((await content.posts.insert({ title: `Bread ${at}`, status: 'publish', meta })).id)
    }
    const dry = await call(site, 'POST', PATH, { from: 'yoast', dryRun: true })
    expect(dry.status).to.equal(202)
    expect(dry.data.migration).to.deep.include({ from: 'yoast', dryRun: true, state: 'running', report: null })
    const planned = await ended()
    expect(planned).to.deep.include({ state: 'complete', percent: 100, error: null, dryRun: true })
    expect(planned.report.posts).to.deep.equal({ found: 230, changed: 230 })
    expect(await titleOf(ids[0] ?? 0)).to.equal(undefined)

    await call(site, 'POST', PATH, { from: 'yoast' })
    const { report } = await ended()
    expect(report.posts).to.deep.equal({ found: 230, changed: 230 })
    expect(report.values).to.deep.include({ written: 230, kept: 0, notTaken: [] })
    for (const at of [0, 229]) expect(await titleOf(ids[at] ?? 0)).to.equal(`Bread ${at} %sep% %sitename%`)
  })

  it('preserves existing values by default, and lists what it could not import', async () => {
    const meta = { rank_math_title: ['Theirs %unknown_thing(x)%'], _seo_title: ['Mine'] }
    const { id } = await site.host.content.posts.insert({ title: 'Salt', status: 'publish', meta })
    await call(site, 'POST', PATH, { from: 'rankmath' })
    expect((await ended()).report.values).to.deep.include({
      kept: 1,
      notTaken: [{ what: 'variable %unknown_thing(x)%', times: 1 }],
    })
    expect(await titleOf(id)).to.equal('Mine')
    await call(site, 'POST', PATH, { from: 'rankmath', overwrite: true })
    await ended()
    expect(await titleOf(id)).to.equal('Theirs')
  })

  it('does one at a time', async () => {
    const answers = await Promise.all([
      call(site, 'POST', PATH, { from: 'yoast' }),
      call(site, 'POST', PATH, { from: 'yoast' }),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([202, 409])
    await ended()
  })

  it('is an administrator’s, and knows whose data there can be', async () => {
    const post = (as: string, from: string) =>
      site.request(`/wp-json/seo/v1${PATH}`, { method: 'POST', as, body: { from } })
    expect((await post('editor', 'yoast')).status).to.equal(403)
    expect((await post('administrator', 'nobody')).status).to.equal(400)
  })
})
