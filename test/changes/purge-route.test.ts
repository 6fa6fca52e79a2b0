import { join } from 'node:path'
import { expect } from 'chai'
import type { Purge } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { until } from '../support/until.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

describe('POST host/v1/purge', () => {
  let site: TestHost

  afterEach(() => site.close())

  async function purge(body: object, status = 200): Promise<{ scope: string; urls: string[]; tags: string[] }> {
    const response = await site.request('/wp-json/host/v1/purge', { method: 'POST', as: 'administrator', body })
    const answer = JSON.parse(await response.text())
    expect(response.status, JSON.stringify(answer)).to.equal(status)
    return answer.data
  }
  /** What is wrong with a parameter. */
  async function refusal(body: object, parameter = 'all'): Promise<string> {
    const response = await site.request('/wp-json/host/v1/purge', { method: 'POST', as: 'administrator', body })
    const answer = JSON.parse(await response.text())
    expect(response.status, JSON.stringify(answer)).to.equal(400)
    return answer.data.params[parameter]
  }
  const newest = async () => {
    const { changes } = site.host
    return (await changes.read(undefined, 1000))?.at(-1)
  }
  const visit = async (path: string) => (await site.get(path)).headers.get('x-cache')
  async function fill(...paths: string[]): Promise<void> {
    for (const path of paths) while ((await visit(path)) !== 'HIT');
  }

  it('records the purge, without the performance service', async () => {
    site = await createTestHost()
    const url = `${site.url}/about/`
    expect(await purge({ urls: ['/about/'], tags: ['post-7'] })).to.deep.equal({
      scope: 'urls',
      urls: [url],
      tags: ['post-7'],
    })
    expect(await newest()).to.deep.include({ scope: 'urls', urls: [url], tags: ['post-7'], cause: 'request' })
    await purge({ all: true })
    expect(await newest()).to.deep.include({ scope: 'pages', urls: [], tags: [], cause: 'request' })
  })

  it('purges cached pages by tag, and says before which these are', async () => {
    site = await createTestHost({ extensions: [SPEED] })
    const { id, path } = await site.host.content.posts.insert({ title: 'A trip', status: 'publish' })
    const about = await site.host.content.posts.insert({ type: 'page', title: 'About', status: 'publish' })
    await site.host.hooks.doActionAsync('shutdown')
    await fill('/', path, about.path)
    const before = await newest()
    const shown = await purge({ tags: [`post-${id}`], dryRun: true })
    expect(shown.urls).to.include.members([site.url + path, `${site.url}/`])
    expect(shown.urls).to.not.include(site.url + about.path)
    expect(await visit(path)).to.equal('HIT')
    expect(await newest()).to.deep.equal(before)
    const told: string[] = []
    for (const name of ['speed_purge_urls:before', 'speed_purge_urls:after', 'speed_purged'] as const)
      site.host.hooks.addAction(name, () => void told.push(name))
    expect((await purge({ tags: [`post-${id}`] })).urls.sort()).to.deep.equal(shown.urls.sort())
    await site.host.hooks.doActionAsync('shutdown')
    expect(told).to.deep.equal(['speed_purge_urls:before', 'speed_purge_urls:after', 'speed_purged'])
    expect(await visit(about.path)).to.equal('HIT')
  })

  it('purges cached pages as host.changes.record does', async () => {
    site = await createTestHost({ extensions: [SPEED] })
    const { content, changes, hooks } = site.host
    const { path } = await content.posts.insert({ title: 'A trip', status: 'publish' })
    await hooks.doActionAsync('shutdown')
    const purges: Purge[] = [
      { scope: 'url', urls: [site.url + path], tags: [], reason: 'One page.' },
      { scope: 'cache', urls: [], tags: [], reason: 'All pages.' },
    ]
    for (const purge of purges) {
      await fill('/', path)
      await changes.record(purge)
      expect(await visit(path)).to.not.equal('HIT')
      expect(await newest()).to.deep.include(purge)
    }
    const error = await changes.record(JSON.parse('{ "scope": "all" }')).catch((error: unknown) => error)
    expect(error).to.be.instanceOf(z.ZodError)
  })

  it('purges while the change log cannot be written, which then follows', async () => {
    site = await createTestHost({ extensions: [SPEED] })
    const { path } = await site.host.content.posts.insert({ title: 'A trip', status: 'publish' })
    await site.host.hooks.doActionAsync('shutdown')
    await fill(path)
    const { schema } = site.host.database.db
    await schema.alterTable('change_log').renameTo('away').execute()
    const all = { method: 'POST', as: 'administrator' }
    const [, { status }] = await Promise.all([
      purge({ urls: ['/about/'] }),
      site.request('/wp-json/speed/v1/purge-pages-and-preload', all),
    ])
    expect(status).to.equal(200)
    await schema.alterTable('away').renameTo('change_log').execute()
    await until(async () => (await newest())?.reason === 'An administrator purged pages.')
  })

  it('rejects a request for all pages and some of them, and names that it does not know, and purges nothing', async () => {
    site = await createTestHost()
    const before = await newest()
    for (const some of [{ urls: ['/about/'] }, { tags: ['post-7'] }]) {
      expect(await refusal({ all: true, ...some })).to.match(/^Send either all, .* or urls and tags/)
      expect(await refusal({ all: true, dryRun: true, ...some })).to.match(/^Send either all/)
    }
    expect(await refusal({ tag: ['post-7'], all: true }, 'tag')).to.equal('tag is not a valid property of Object.')
    expect(await newest()).to.deep.equal(before)
    await purge({ all: true, urls: [], tags: [] })
    expect(await newest()).to.deep.include({ scope: 'pages', cause: 'request' })
  })

  it('rejects pages of other sites, and a request for nothing', async () => {
    site = await createTestHost()
    await purge({ urls: ['https://example.com/'] }, 400)
    await purge({ tags: ['*'] }, 400)
    await purge({}, 400)
    expect((await site.request('/wp-json/host/v1/purge', { method: 'POST', body: { all: true } })).status).to.equal(401)
    const editor = await site.request('/wp-json/host/v1/purge', { method: 'POST', as: 'editor', body: { all: true } })
    expect(editor.status).to.equal(403)
  })
})
