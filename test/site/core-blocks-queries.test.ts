import { StatementSync } from 'node:sqlite'
import { expect } from 'chai'
import { isHandlingRequest } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'

const LOOP = (perPage: number) =>
  `<!-- wp:query {"query":{"perPage":${perPage},"postType":"post","inherit":false}} --><div><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-featured-image /--><!-- wp:post-author /--><!-- wp:avatar /--><!-- wp:post-terms {"term":"category"} /--><!-- wp:post-terms {"term":"post_tag"} /--><!-- wp:post-date /--><!-- wp:post-excerpt /--><!-- /wp:post-template --><!-- wp:query-pagination --><!-- wp:query-pagination-numbers /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination --></div><!-- /wp:query -->`
const LATEST = (count: number) =>
  `<!-- wp:latest-posts {"postsToShow":${count},"displayAuthor":true,"displayPostContent":true,"displayFeaturedImage":true} /-->`
const COMMENTS = (count: number) => `<!-- wp:latest-comments {"commentsToShow":${count}} /-->`

describe('queries of core blocks', () => {
  let site: TestHost
  let page: string
  let pageId: number
  let links: number[]
  before(async () => {
    site = await createTestHost()
    const { content, auth } = site.host
    const term = await content.terms.insert('category', { name: 'Food' })
    const posts: number[] = []
    for (let at = 0; at < 20; at++) {
      const login = `author${at}`
      const author = await auth.users.create({ login, email: `${login}@example.org`, roles: ['author'] })
      const post = await content.posts.insert({
        ...{ title: `Post ${at}`, content: `Words ${at}`, status: 'publish', authorId: author.id },
        terms: { category: [term.id] },
      })
      posts.push(post.id)
      await content.comments.insert({
        ...{ postId: post.id, parentId: 0, userId: author.id, authorName: login, authorEmail: '', authorUrl: '' },
        ...{
          authorAddress: '',
          userAgent: '',
          content: 'Yes',
          status: 'approved',
          type: 'comment',
          date: '',
          dateGmt: '',
        },
      })
    }
    links = posts
    const made = await content.posts.insert({ type: 'page', title: 'Blocks', status: 'publish' })
    pageId = made.id
    page = new URL(content.link(made)).pathname
  })
  after(() => site.close())

  const navigation = (count: number) => {
    const entries = links
      .slice(0, count)
      .map((id) => `<!-- wp:navigation-link {"label":"L","kind":"post-type","type":"post","id":${id},"url":"/"} /-->`)
    return `<!-- wp:navigation {"overlayMenu":"never"} -->${entries.join('')}<!-- /wp:navigation -->`
  }

  const calendars = (count: number) => '<!-- wp:calendar {"year":2026,"month":1} /-->'.repeat(count)

  /** How many queries the page with a content takes when nothing is remembered. */
  async function queriesOf(content: string): Promise<number> {
    await site.host.content.posts.update(pageId, { content })
    const { all } = StatementSync.prototype
    let count = 0
    StatementSync.prototype.all = function (...values) {
      // What jobs and polls read meanwhile is not part of the request.
      if (isHandlingRequest()) count++
      return Reflect.apply(all, this, values)
    }
    try {
      expect((await site.get(page)).status).to.equal(200)
    } finally {
      StatementSync.prototype.all = all
    }
    expect(count).to.be.greaterThan(0)
    return count
  }

  for (const [name, block] of Object.entries({ LOOP, LATEST, COMMENTS, navigation, calendars })) {
    it(`are no more for 20 than for 3 in a ${name.toLowerCase()}`, async () => {
      const few = await queriesOf(block(3))
      expect(await queriesOf(block(20))).to.be.at.most(few)
    })
  }
})
