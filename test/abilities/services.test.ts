import { expect } from 'chai'
import type { User } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('the abilities of the services', () => {
  let site: TestHost
  let admin: User
  let author: User
  const run = (name: string, input: unknown = {}) => site.host.abilities.run(name, input, admin)

  before(async () => {
    site = await createTestHost({ services: true })
    admin = await site.host.auth.users.create({ login: 'ada', roles: ['administrator'] })
    author = await site.host.auth.users.create({ login: 'otto', roles: ['author'] })
  })
  after(() => site.close())

  it('list posts without a description until they have one', async () => {
    const before = await run('seo/list-posts-without-description')
    expect(before).to.deep.include({
      items: [
        { postId: 2, title: 'Sample Page', url: `${site.url}/sample-page/`, type: 'page' },
        { postId: 1, title: 'Hello world!', url: `${site.url}/hello-world/`, type: 'post' },
      ],
      total: 2,
    })
    const edit = { id: 1, meta: { _seo_description: 'Where it begins.' } }
    expect(await site.host.abilities.preview('content/edit-post', edit, admin)).to.include({
      summary: 'Change the meta description of “Hello world!”.',
    })
    await run('content/edit-post', edit)
    expect(await run('seo/list-posts-without-description')).to.have.property('total', 1)
    expect(await run('seo/get-report')).to.deep.equal({ withoutDescription: 1, missingPages: 0, redirects: 0 })
  })

  it('see what visitors miss, and make a redirect of it', async () => {
    await site.get('/old-page/')
    expect(await run('seo/list-missing-pages')).to.have.nested.property('items[0].url', '/old-page/')
    const rule = { source: '/old-page/', target: '/hello-world/' }
    expect(await site.host.abilities.preview('seo/create-redirect', rule, admin)).to.deep.include({
      ...{ before: null, after: { ...rule, status: 301 } },
      summary: 'Redirect /old-page/ to /hello-world/ (301).',
    })
    expect((await site.get('/old-page/')).status).to.equal(404)
    expect(await run('seo/create-redirect', rule)).to.include({ ...rule, status: 301, enabled: true })
    expect((await site.get('/old-page/')).status).to.equal(301)
    expect(await run('seo/list-redirects', { search: 'old' })).to.have.property('total', 1)
  })

  it('return the performance, purge the cache, and return the PWA score', async () => {
    expect(await run('speed/get-performance')).to.include({ score: null, samples: 0 })
    expect(await run('speed/purge-cache'))
      .to.have.property('purged')
      .that.is.a('number')
    expect(await run('pwa/get-score'))
      .to.include({ scoreResult: 'Average' })
      .and.not.have.property('actionItems')
  })

  it('begin a backup, and list backups', async () => {
    const { jobId } = await run('backup/create-backup', { title: 'Before the change' })
    const body = { jobId }
    const cancelled = await site.request('/wp-json/backup/v1/backup/cancel', {
      method: 'POST',
      as: 'administrator',
      body,
    })
    expect(cancelled.status).to.equal(200)
    expect(await run('backup/list-backups')).to.deep.equal({ items: [], total: 0 })
  })

  it('are for administrators, and what needs a license is not there without one', async () => {
    const own = (await site.host.abilities.list(author)).map(({ name }) => name)
    expect(own).to.include('seo/list-posts-without-description')
    expect(own).to.not.include.members(['seo/get-report'])
    expect(own).to.not.include.members(['backup/create-backup'])
    expect(site.host.abilities.names()).to.include('backup/create-backup').and.not.include('seo/list-orphans')
  })

  it('are reached over MCP, past the page cache', async () => {
    for (const _ of [1, 2]) expect((await site.get('/mcp')).status).to.equal(401)
    const answer = await site.request('/mcp', {
      ...{ method: 'POST', as: 'administrator', headers: { Accept: 'application/json, text/event-stream' } },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect(await answer.text())
      .to.contain('"seo__get-report"')
      .and.contain('"backup__create-backup"')
  })

  describe('settings that are secret', () => {
    const settingsOf = async (name: string) => JSON.stringify(await run('core/get-settings', { name }))

    it('are not there for programs, nor what says where they are sent', async () => {
      await site.request('/wp-json/ai/v1/settings', {
        ...{ method: 'PUT', as: 'administrator' },
        body: { settings: { openaiApiKey: 'sk-very-secret', compatibleBaseUrl: 'http://10.0.0.1/v1' } },
      })
      expect(await settingsOf('ai'))
        .to.contain('textModel')
        .and.not.match(/sk-very|ApiKey|compatibleBaseUrl|10\.0\.0\.1/)
      expect(await settingsOf('backup'))
        .to.contain('keepLatestBackupsCount')
        .and.not.match(/webdav|sftp|s3|googleDrive/i)
      expect(JSON.stringify(await run('core/get-settings')))
        .to.contain('"title"')
        .and.not.contain('sk-very')
    })

    it('are not changed by programs', async () => {
      for (const changes of [{ openaiApiKey: 'mine' }, { compatibleBaseUrl: 'https://evil.example/v1' }]) {
        const refused = await run('core/change-settings', { name: 'ai', changes }).catch((error: unknown) => error)
        expect(refused).to.include({ code: 'rest_invalid_param', status: 400 })
      }
      expect(site.host.settings.get('ai')?.get()).to.include({
        ...{ openaiApiKey: 'sk-very-secret', compatibleBaseUrl: 'http://10.0.0.1/v1' },
      })
    })
  })
})
