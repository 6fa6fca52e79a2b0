import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'

const BREAK = '<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->'
const paragraph = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`
const CONTENT = [paragraph('part one'), paragraph('part two'), paragraph('part three')].join(`\n\n${BREAK}\n\n`)

describe('a post that its author divided into pages', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
    const { posts } = site.host.content
    await posts.insert({ title: 'Long', slug: 'long', content: CONTENT, status: 'publish' })
    await posts.insert({
      type: 'page',
      title: 'Old',
      slug: 'old',
      content: '<!--nextpage-->A\n<!--nextpage-->\nB',
      status: 'publish',
    })
    await posts.insert({ title: 'Teased', slug: 'teased', content: 'Start <!--more Go on--> end', status: 'publish' })
  })
  after(() => site.close())

  const text = async (path: string) => {
    const answer = await site.get(path)
    expect(answer.status, path).to.equal(200)
    return answer.text()
  }
  const parts = (html: string) =>
    ['part one', 'part two', 'part three'].filter((part) => html.includes(`<p>${part}</p>`))
  const links = (html: string) => /<p class="post-nav-links">.*?<\/p>/.exec(html)?.[0]

  it('shows one page, with links to the others', async () => {
    const first = await text('/long/')
    expect(parts(first)).to.deep.equal(['part one'])
    expect(links(first)).to.equal(
      '<p class="post-nav-links">Pages: <span class="post-page-numbers current" aria-current="page">1</span> <a href="/long/2/" class="post-page-numbers">2</a> <a href="/long/3/" class="post-page-numbers">3</a></p>',
    )
    const second = await text('/long/2/')
    expect(parts(second)).to.deep.equal(['part two'])
    expect(links(second)).to.contain('<a href="/long/" class="post-page-numbers">1</a>')
    expect(second).to.match(/<link rel="canonical" href="[^"]*\/long\/2\/">/)
    expect(second)
      .to.match(/<body class="[^"]*paged-2 single-paged-2/)
      .and.not.to.contain(' paged ')
    expect(parts(await text('/long/3/'))).to.deep.equal(['part three'])
  })

  it('has no other pages than these', async () => {
    for (const path of ['/long/1/', '/long/4/', '/long/9999/']) {
      const answer = await site.get(path)
      expect([answer.status, answer.headers.get('location')], path).to.deep.equal([301, '/long/'])
    }
  })

  it('was written without the block editor, or begins with a break', async () => {
    expect(await text('/old/'))
      .to.contain('<p>A</p>')
      .and.to.contain('href="/old/2/"')
      .and.not.to.contain('<p>B</p>')
    expect(await text('/old/2/')).to.contain('<p>B</p>')
  })

  it('is whole in REST, and found by all its words', async () => {
    const found = await site.get('/wp-json/wp/v2/posts?search=part+three')
    const [post] = JSON.parse(await found.text())
    expect(parts(post.content.rendered)).to.have.length(3)
  })

  it('names the place where lists end its beginning', async () => {
    const { items } = await site.host.content.posts.query({ slugs: ['teased'] })
    expect(await text('/teased/')).to.contain(`Start <span id="more-${items[0]?.id}"></span> end`)
  })
})
