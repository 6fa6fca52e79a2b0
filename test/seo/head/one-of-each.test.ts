import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { headAt } from './read-head.ts'

describe('A head to which others add what is there already', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  it('has one of each: that of an extension, which comes later, also where there were no others before', async () => {
    expect((await headAt(site, '/hello-world/')).titles).to.have.length(1)
    const undo = site.host.hooks.addAction('wp_head', (output) => {
      output.print('<TITLE>Other &amp; title</TITLE><meta NAME="Description" content="Other > description">')
      output.print('<link rel="canonical" href="https://example.org/"><meta property="og:title" content="Other">')
    })
    const head = await headAt(site, '/hello-world/')
    undo()
    expect(head.titles).to.deep.equal(['Other & title'])
    expect([...head.meta('description'), ...head.meta('Description')]).to.deep.equal(['Other > description'])
    expect(head.link('canonical')).to.deep.equal(['https://example.org/'])
    expect(head.meta('og:title')).to.deep.equal(['Other'])
  })

  it('not that of a theme, which is the same on all pages', async () => {
    const fixed = '<title>My theme</title><meta name="description" content="My theme">'
    const undo = site.host.hooks.addFilter('page_html', (html) => html.replace('<head>', `<head>${fixed}`))
    const head = await headAt(site, '/hello-world/')
    undo()
    expect(head.titles[0]).to.match(/^Hello world/)
    expect(head.titles.concat(head.meta('description')))
      .to.have.length(2)
      .and.not.include('My theme')
  })

  it('keeps what may be there more than once, and every word about robots', async () => {
    const more = '<meta property="og:image" content="/b.png"><meta name="robots" content="noarchive">'
    const undo = site.host.hooks.addAction('wp_head', (output) => output.print(more))
    const head = await headAt(site, '/hello-world/')
    undo()
    expect(head.meta('og:image')).to.have.length(2)
    expect(head.meta('robots')).to.have.length(2)
  })

  it('has one of each on missing pages, whatever the last missing page had', async () => {
    expect((await headAt(site, '/missing-1/')).titles).to.have.length(1)
    const undo = site.host.hooks.addAction('wp_head', (output, { path }) => {
      if (path === '/missing-2/') output.print('<title>Another title</title>')
    })
    expect((await headAt(site, '/missing-2/')).titles).to.deep.equal(['Another title'])
    const { titles } = await headAt(site, '/missing-3/')
    undo()
    expect(titles).to.have.length(1).and.not.include('Another title')
  })

  it('stays in memory once for all missing pages', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const bytes = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const style = `<style>/*${'x'.repeat(150_000)}*/</style>`
    const undo = site.host.hooks.addAction('wp_head', (output) => output.print(style))
    await headAt(site, '/large-0/')
    const before = bytes()
    for (let at = 1; at <= 10; at++) await headAt(site, `/large-${at}/`)
    undo()
    expect(bytes() - before).to.be.below(1_500_000)
  })

  it('leaves the page below it alone', async () => {
    const drawing = '<svg><title>A</title></svg><svg><title>B</title></svg>'
    const { id } = await site.host.content.posts.insert({
      type: 'page',
      status: 'publish',
      title: 'Drawing',
      content: drawing,
    })
    const { path = '' } = (await site.host.content.posts.get(id)) ?? {}
    expect((await headAt(site, path)).html)
      .to.contain('<title>A</title>')
      .and.contain('<title>B</title>')
  })
})
