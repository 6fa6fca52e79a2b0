import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { NewPost } from '../../cms/content/types.ts'
import { openSession } from '../support/session.ts'

const LISTS = {
  'latest-posts': '<!-- wp:latest-posts {"displayPostContent":true,"postsToShow":50} /-->',
  'latest-posts with texts':
    '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post","postsToShow":50} /-->',
  query:
    '<!-- wp:query {"queryId":1,"query":{"perPage":50,"postType":"post","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title {"isLink":true} /--><!-- wp:post-excerpt /--><!-- wp:post-content /--><!-- /wp:post-template --></div><!-- /wp:query -->',
  archives: '<!-- wp:archives {"type":"postbypost"} /-->',
}

describe('who reads what core blocks list', () => {
  let site: TestHost
  let authorId: number
  before(async () => {
    site = await createTestHost()
    const { auth } = site.host
    authorId = (await auth.users.create({ login: 'ann', email: 'ann@example.org', roles: ['author'] })).id
    await put({ title: 'Open post', content: paragraph('open words') })
    await put({ title: 'Closed post', content: paragraph('closed words'), password: 'secret' })
    await put({ title: 'Private post', content: paragraph('private words'), status: 'private' })
    await put({ title: 'Draft post', content: paragraph('draft words'), status: 'draft' })
    await put({ type: 'page', title: 'Private page', status: 'private' })
  })
  after(() => site.close())

  const paragraph = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`
  const put = (post: NewPost) => site.host.content.posts.insert({ type: 'post', status: 'publish', authorId, ...post })
  /** What the page of a post with this content shows of it. */
  async function shown(content: string, as?: string): Promise<string> {
    const post = await put({ type: 'page', title: 'Blocks', content: `<div>[begin]</div>${content}<div>[end]</div>` })
    const answer = await site.get(new URL(site.host.content.link(post)).pathname, as === undefined ? {} : { as })
    await site.host.content.posts.delete(post.id)
    expect(answer.status).to.equal(200)
    return /\[begin\](.*)\[end\]/s.exec(await answer.text())?.[1] ?? 'nothing'
  }

  for (const [name, block] of Object.entries(LISTS)) {
    it(`${name}: visitors get no private posts and drafts, and no text that a password protects`, async () => {
      const html = await shown(block)
      expect(html).to.contain('Open post').and.to.contain('Protected: Closed post')
      for (const hidden of ['Private post', 'Draft post', 'closed words', 'private words', 'draft words']) {
        expect(html, hidden).not.to.contain(hidden)
      }
    })
  }

  it('a post of thousands of lists shows the first 500', async () => {
    const html = await shown('<!-- wp:tag-cloud /-->'.repeat(3000))
    expect(html.match(/wp-block-tag-cloud/g)).to.have.length(500)
  })

  it('a post of thousands of featured images shows the first 1,000', async () => {
    const picture = await put({ type: 'attachment', status: 'inherit', mimeType: 'image/png', guid: '/a.png' })
    const content = '<!-- wp:post-featured-image /-->'.repeat(3000)
    const post = await put({ title: 'Pictures', content, meta: { _thumbnail_id: [String(picture.id)] } })
    const html = await (await site.get(post.path)).text()
    expect(html.match(/<figure class="wp-block-post-featured-image"/g)).to.have.length(1000)
    for (const { id } of [post, picture]) await site.host.content.posts.delete(id)
  })

  it('page-list: visitors get no private pages', async () => {
    expect(await shown('<!-- wp:page-list /-->'))
      .to.contain('Sample Page')
      .and.not.to.contain('Private page')
  })

  it('lists leave out what an extension closes to visitors', async () => {
    const open = await site.host.content.posts.query({ search: 'open words', types: ['post'] })
    const id = open.items[0]?.id ?? 0
    const undo = site.host.hooks.addFilter('read_post_caps', (caps, postId) =>
      postId === id ? ['do_not_allow'] : caps,
    )
    try {
      for (const [name, block] of Object.entries(LISTS)) expect(await shown(block), name).not.to.contain('Open post')
    } finally {
      undo()
    }
  })

  it('a synced pattern is shown while it is published and has no password', async () => {
    const pattern = await put({ type: 'wp_block', title: 'Pattern', content: paragraph('from the pattern') })
    const block = `<!-- wp:block {"ref":${pattern.id}} /-->`
    expect(await shown(block)).to.contain('<p>from the pattern</p>')
    for (const change of [
      { status: 'draft' },
      { status: 'publish', password: 'x' },
      { password: '', status: 'trash' },
    ]) {
      await site.host.content.posts.update(pattern.id, change)
      expect((await shown(block)).replaceAll(/<\/?div>/g, '')).to.equal('')
    }
    const post = await put({ title: 'No pattern', content: paragraph('no pattern') })
    expect(await shown(`<!-- wp:block {"ref":${post.id}} /-->`)).not.to.contain('no pattern')
  })

  it('a synced pattern has its URLs embedded as a post has', async () => {
    const content = `<!-- wp:embed {"url":"${site.url}/hello-world/"} --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${site.url}/hello-world/\n</div></figure><!-- /wp:embed -->`
    const pattern = await put({ type: 'wp_block', title: 'Embed', content })
    const [inPattern, inPost] = [await shown(`<!-- wp:block {"ref":${pattern.id}} /-->`), await shown(content)]
    expect(inPattern).to.contain('Hello world!')
    expect(inPattern).to.equal(inPost)
  })

  it('an avatar does not reveal users without published posts', async () => {
    const quiet = await site.host.auth.users.create({ login: 'quiet', email: 'q@example.org', roles: ['editor'] })
    expect(await shown(`<!-- wp:avatar {"userId":${quiet.id}} /-->`)).not.to.contain('quiet')
    expect(await shown(`<!-- wp:avatar {"userId":${authorId}} /-->`)).to.contain('ann Avatar')
  })

  it('post-comments of WordPress 6.0 and before has the comments and the form', async () => {
    for (const block of [
      '<!-- wp:post-comments {"textAlign":"center"} /-->',
      '<!-- wp:comments {"legacy":true} /-->',
    ]) {
      const post = await put({ title: 'Discussed', content: block })
      await site.host.content.comments.insert({
        ...{ postId: post.id, parentId: 0, userId: 0, type: 'comment', status: 'approved' },
        ...{
          authorName: 'Bea',
          authorEmail: '',
          authorUrl: '',
          authorAddress: '',
          userAgent: '',
          content: 'Well said',
        },
        ...{ date: '2026-01-01T00:00:00', dateGmt: '2026-01-01T00:00:00' },
      })
      const html = await (await site.get(post.path)).text()
      const shown = /<div class="([^"]*\bwp-block-post-comments\b[^"]*)">(.*)/s.exec(html)
      expect(shown?.[1]?.includes('has-text-align-center'), block).to.equal(block.includes('center'))
      expect(shown?.[2])
        .to.match(/<h3 id="comments" [^>]*>One response to &#8220;Discussed&#8221;<\/h3>/)
        .and.to.contain('Bea')
        .and.to.contain('Well said')
        .and.to.contain('class="comment-reply-link"')
        .and.to.contain('id="commentform"')
      await site.host.content.posts.delete(post.id)
    }
  })

  it('loginout offers to log in', async () => {
    expect(await shown('<!-- wp:loginout /-->'))
      .to.contain('Log in</a>')
      .and.to.contain('logged-out')
  })

  describe('attributes', () => {
    it('of wrong types and beyond the limits are as if they were missing, or the limit', async () => {
      const html = await shown(
        '<!-- wp:latest-posts {"postsToShow":{"a":1},"order":"up","categories":"x","excerptLength":[],"columns":"many","className":5} /-->',
      )
      expect(html)
        .to.contain('<ul class="wp-block-latest-posts__list wp-block-latest-posts">')
        .and.to.contain('Open post')
      const query =
        '{"queryId":{},"query":{"perPage":1000000,"offset":-5,"postType":"nav_menu_item","order":7,"taxQuery":[1],"exclude":"x","inherit":"no"}}'
      expect(await shown(LISTS.query.replace(/\{.*?\}\}/, query))).to.contain('Open post')
      expect(await shown('<!-- wp:query {"query":5} --><!-- wp:post-template /--><!-- /wp:query -->')).to.contain('<ul')
      expect(await shown('<!-- wp:post-title {"level":99,"textAlign":"x\\" onclick=\\"y"} /-->')).not.to.contain(
        'onclick',
      )
    })

    it('count posts as a query of WordPress does: 0 is those of a page of the blog, -1 all', async () => {
      const posts = await Promise.all(Array.from({ length: 12 }, (_, at) => put({ title: `Of many ${at}` })))
      const count = async (number: number) =>
        (await shown(`<!-- wp:latest-posts {"postsToShow":${number}} /-->`)).match(/latest-posts__post-title/g)?.length
      expect(await count(0)).to.equal(10)
      expect(await count(-1)).to.be.above(12)
      expect(await count(-3)).to.equal(3)
      for (const { id } of posts) await site.host.content.posts.delete(id)
    })

    it('that nothing is there for give a sentence', async () => {
      expect(await shown('<!-- wp:archives {"type":"hourly"} /-->')).to.contain('>No archives to show.</div>')
      expect(await shown('<!-- wp:archives {"type":"toString","displayAsDropdown":true} /-->')).to.contain(
        '<option value="">Select Post</option></select>',
      )
      const none = (terms: string) =>
        `Your site doesn&#8217;t have any ${terms}, so there&#8217;s nothing to display here at the moment.`
      expect(await shown('<!-- wp:tag-cloud {"taxonomy":"nav_menu"} /-->')).to.match(
        new RegExp(none('[a-z ]*menus').replace('.', '\\.')),
      )
      expect(await shown('<!-- wp:tag-cloud {"taxonomy":"nope"} /-->')).to.contain(none('terms'))
    })

    it('that are a format of a date may hold markup, no scripts', async () => {
      const date = (format: string) => shown(`<!-- wp:post-date {"format":"${format}"} /-->`)
      expect(await date('\\\\<\\\\b\\\\>Y')).to.match(/<time datetime="[^"]+"><b>\d{4}<\/b><\/time>/)
      expect(await date('<\\\\s\\\\c\\\\r\\\\i\\\\p\\\\t>Y')).not.to.contain('<script')
    })

    it('never run or load anything', async () => {
      const html = await shown(
        `<!-- wp:search {"label":"<script>alert(1)</script>","placeholder":"\\"><script>alert(2)</script>","query":{"\\"><script>":"alert(3)"},"width":1,"widthUnit":"px;background:url(//evil.example)"} /-->
        <!-- wp:site-tagline {"style":{"color":{"text":"red;background:url(//evil.example)"},"spacing":{"padding":"1px\\"onclick=\\"x"}},"className":"\\"><script>","textColor":"\\"><script>"} /-->
        <!-- wp:navigation {"overlayMenu":"never","customTextColor":"url(//evil.example)"} --><!-- wp:navigation-link {"label":"Go","url":"java\\nscript:alert(4)","rel":"\\"><script>"} /--><!-- /wp:navigation -->
        <!-- wp:social-links --><ul><!-- wp:social-link {"url":"javascript:alert(5)","service":"\\"><script>","label":"<script>"} /--></ul><!-- /wp:social-links -->`,
      )
      expect(html).to.match(/Go<\/span>/)
      for (const bad of ['<script>alert', 'evil.example', 'javascript:', 'onclick="', '"><script>']) {
        expect(html, bad).not.to.contain(bad)
      }
    })
  })

  describe('what holds itself', () => {
    it('ends: a pattern within itself, and patterns that hold each other many times', async () => {
      const [one, two] = [await put({ type: 'wp_block', title: 'One' }), await put({ type: 'wp_block', title: 'Two' })]
      const ref = (id: number) => `<!-- wp:block {"ref":${id}} /-->`
      await site.host.content.posts.update(one.id, {
        content: paragraph('first') + ref(one.id) + ref(two.id).repeat(50),
      })
      await site.host.content.posts.update(two.id, { content: paragraph('second') + ref(one.id).repeat(50) })
      const html = await shown(ref(one.id).repeat(50))
      expect(html.split('first')).to.have.length.within(2, 1100)
      expect(html).not.to.contain('halted')
    })

    it('ends: the text of a post within itself, also in a loop that shows the page itself', async () => {
      const html = await shown(
        `${paragraph('once')}<!-- wp:post-content /-->${LISTS.query.replace('"post"', '"page"')}`,
      )
      expect(html.split('<p>once</p>')).to.have.length(2)
    })

    it('shows the reason to users who may edit the post', async () => {
      const { content, auth } = site.host
      const post = await put({ title: 'Circle', content: '<!-- wp:post-content /-->' })
      const path = new URL(content.link(post)).pathname
      expect(await (await site.get(path)).text()).not.to.contain('halted')
      const author = await auth.users.get(authorId)
      if (!author) throw new Error('The author is missing.')
      const answer = await site.get(path, { headers: { ...(await openSession(auth, author)) } })
      expect(await answer.text()).to.contain('<!-- Block rendering halted: the post or pattern contains itself')
      await content.posts.delete(post.id)
    })
  })
})
