import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { SaxesParser } from 'saxes'
import { openSeoSite, set } from '../seo-site.ts'

describe('The RSS signature', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
    const { content, auth } = site.host
    await content.updateSiteSettings({ title: 'Ups & ]]> downs' })
    const ann = await auth.users.create({ login: 'ann', displayName: 'Ann <3', roles: ['author'] })
    await content.posts.insert({
      ...{
        type: 'post',
        status: 'publish',
        title: 'A "day" ]]> <b>out</b>',
        slug: 'day',
        content: 'Text.',
        authorId: ann.id,
      },
    })
  })
  after(() => site.close())

  /** HTML of the newest post as a reader of the feed gets it. */
  async function newest(): Promise<string> {
    const contents: string[] = []
    const parser = new SaxesParser()
    parser.on('error', (error) => {
      throw error
    })
    let isContent = false
    parser.on('opentag', ({ name }) => {
      isContent = name === 'content:encoded'
      if (isContent) contents.push('')
    })
    parser.on('closetag', () => {
      isContent = false
    })
    parser.on('cdata', (text) => {
      if (isContent) contents.push((contents.pop() ?? '') + text)
    })
    parser.write(await (await site.get('/feed/')).text()).close()
    return contents[0] ?? ''
  }

  it('ends each post with the way back', async () => {
    expect(await newest()).to.equal(
      '<p>Text.</p>\n<p>The post ' +
        `<a href="${site.url}/day/">A “day” ]]&gt; out</a> appeared first on ` +
        `<a href="${site.url}/">Ups &amp; ]]&gt; downs</a>.</p>\n`,
    )
  })

  it('says what the site wants it to say; markup is text', async () => {
    await set(site, { rssSignatureText: '<i>By</i> %author%, 100% %other% %constructor%' })
    expect(await newest()).to.contain('<p>&lt;i&gt;By&lt;/i&gt; Ann &lt;3, 100% %other% %constructor%</p>')
  })

  it('can be switched off, and does not show on the page', async () => {
    expect(await (await site.get('/day/')).text()).to.not.contain('%other%')
    await set(site, { rssSignature: 'off' })
    expect(await newest()).to.equal('<p>Text.</p>\n')
  })
})
