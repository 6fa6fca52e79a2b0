import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'

describe('llms.txt', () => {
  let site: TestHost
  const text = async () => (await site.get('/llms.txt')).text()
  /** Lines of a section. */
  const section = async (heading: string) => {
    const [, found = ''] = (await text()).split(`\n## ${heading}\n\n`)
    return found.split('\n\n## ')[0]?.trim().split('\n') ?? []
  }

  before(async () => {
    site = await openSeoSite()
    const { content } = site.host
    for (const { id } of (await content.posts.query({ types: ['post', 'page'] })).items) await content.posts.delete(id)
    await content.updateSiteSettings({ title: 'Tea &amp; [more]', description: 'All about\ntea' })
    const post = (title: string, more = {}) => content.posts.insert({ title, status: 'publish', ...more })
    await post('About us', { type: 'page', content: '<p>We drink <b>tea</b>.</p>' })
    await post('Brackets [1] *and* _more_', { content: 'Text', date: '2025-01-01T00:00:00' })
    await post('Newer', {
      content: 'Text',
      date: '2025-02-01T00:00:00',
      meta: { _seo_description: ['A line\n## Injected\n- [x](https://evil.example)'] },
    })
    await post('Hidden', { meta: { _seo_noindex: [true] } })
    await post('Locked', { password: 'secret' })
    await post('Draft', { status: 'draft' })
  })
  after(() => site.close())

  it('has the site’s name as heading, what it is about as quotation, then sections of links', async () => {
    const answer = await site.get('/llms.txt')
    expect(answer.headers.get('content-type')).to.equal('text/markdown; charset=UTF-8')
    const lines = (await answer.text()).split('\n')
    expect(lines.slice(0, 4)).to.deep.equal(['# Tea & \\[more\\]', '', '> All about tea', ''])
    const headings = lines.filter((line) => line.startsWith('#'))
    expect(headings).to.deep.equal(['# Tea & \\[more\\]', '## Pages', '## Posts', '## Optional'])
  })

  it('links each page with its title and what it is about, newest posts first', async () => {
    expect(await section('Pages')).to.deep.equal([`- [About us](${site.url}/about-us/): We drink tea.`])
    const [first, second, ...others] = await section('Posts')
    expect(first).to.match(/^- \[Newer\]\(\S+\/newer\/\): A line /)
    expect(second).to.equal(`- [Brackets \\[1\\] \\*and\\* \\_more\\_](${site.url}/brackets-1-and-_more_/): Text`)
    expect(others).to.deep.equal([])
  })

  it('keeps texts on their line and out of its markup', async () => {
    const all = await text()
    expect(all.match(/^## /gm)).to.have.length(3)
    expect(all).to.not.contain('[x](https://evil.example)')
  })

  it('is bounded', async () => {
    const { content } = site.host
    const made = []
    for (let at = 0; at < 60; at++) made.push(await content.posts.insert({ title: `Many ${at}`, status: 'publish' }))
    expect(await section('Posts')).to.have.length(50)
    for (const { id } of made) await content.posts.delete(id)
  })

  it('can be changed by a filter, and switched off', async () => {
    const undo = site.host.hooks.addFilter('seo_llms_txt', (written) => `${written}\nAsk us anything.\n`)
    expect(await text()).to.match(/\nAsk us anything\.\n$/)
    undo()
    await set(site, { llmsTxt: 'off' })
    expect((await site.get('/llms.txt')).status).to.equal(404)
    await set(site, { llmsTxt: 'on' })
  })

  it('names nothing where the site does not want to be found', async () => {
    await site.host.options.update('blog_public', '0')
    expect(await text()).to.equal('# Tea & \\[more\\]\n\n> All about tea\n')
    await site.host.options.update('blog_public', '1')
  })
})
