import { expect } from 'chai'
import { createTestHost } from 'pentad/testing'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

const QUERY =
  '<!-- wp:query {"query":{"perPage":1,"postType":"post","orderBy":"title","order":"asc","inherit":false}} --><div><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --></div><!-- /wp:query -->'

/** Pages, each with one block. */
const BLOCKS = {
  'latest-posts': '<!-- wp:latest-posts {"postsToShow":1} /-->',
  'latest-comments': '<!-- wp:latest-comments /-->',
  categories: '<!-- wp:categories {"showPostCounts":true} /-->',
  archives: '<!-- wp:archives /-->',
  calendar: '<!-- wp:calendar /-->',
  query: QUERY,
  pages: '<!-- wp:page-list /-->',
  pattern: '<!-- wp:block {"ref":PATTERN} /-->',
  navigation: '<!-- wp:navigation {"overlayMenu":"never"} /-->',
  loginout: '<!-- wp:loginout /-->',
  search: '<!-- wp:search /-->',
} as const
type Name = keyof typeof BLOCKS
const names = Object.keys(BLOCKS)

describe('a cached page with blocks that list what others write', () => {
  let speed: SpeedSite
  let pattern: number
  before(async () => {
    speed = await startSpeedSite()
    const { posts } = speed.site.host.content
    pattern = (await posts.insert({ type: 'wp_block', status: 'publish', title: 'P', content: 'old pattern' })).id
    // A child of no page that a menu of the theme lists.
    const parentId = speed.ids.team
    for (const [name, block] of Object.entries(BLOCKS)) {
      const content = block.replace('PATTERN', String(pattern))
      await posts.insert({ type: 'page', status: 'publish', title: name, slug: `with-${name}`, parentId, content })
    }
  })
  after(() => speed.site.close())

  const path = (name: string) => `/about/team/with-${name}/`
  const text = async (name: Name) => (await speed.site.get(path(name))).text()

  async function goneAfter(change: () => Promise<unknown>): Promise<string[]> {
    await speed.fill(names.map(path))
    await change()
    return (await speed.gone(names.map(path))).map((one) => one.replace(/^.*with-|\/$/g, ''))
  }

  const insert = (title: string, more: object = {}) =>
    speed.site.host.content.posts.insert({ title, status: 'publish', authorId: speed.ids.ann, ...more })

  it('is purged when a post is published', async () => {
    const gone = await goneAfter(() => insert('A new one', { terms: { category: [speed.ids.food] } }))
    expect(gone).to.have.members(['latest-posts', 'categories', 'archives', 'calendar', 'query'])
    expect(await text('latest-posts')).to.contain('A new one')
    expect(await text('query')).to.contain('A new one')
  })

  it('is purged when a post changes that it does not show, where that may bring it in', async () => {
    const gone = await goneAfter(() => speed.site.host.content.posts.update(speed.ids.third, { title: 'A first one' }))
    expect(gone).to.have.members(['query'])
    expect(await text('query')).to.contain('A first one')
  })

  it('is purged when a comment is approved, and not when it waits', async () => {
    const { comments } = speed.site.host.content
    let id = 0
    const gone = await goneAfter(async () => {
      id = (
        await comments.insert({
          ...{ postId: speed.ids.first, parentId: 0, userId: 0, authorName: 'Cid', authorEmail: 'c@example.org' },
          ...{ authorUrl: '', authorAddress: '', userAgent: '', content: 'Words', status: 'hold', type: 'comment' },
          ...{ date: '2026-01-01T00:00:00', dateGmt: '2026-01-01T00:00:00' },
        })
      ).id
    })
    expect(gone).to.deep.equal([])
    expect(await goneAfter(() => comments.setStatus(id, 'approved'))).to.deep.equal(['latest-comments'])
    expect(await text('latest-comments')).to.contain('Cid')
  })

  it('is purged when its pattern or its navigation changes', async () => {
    const { posts } = speed.site.host.content
    expect(await goneAfter(() => posts.update(pattern, { content: 'new pattern' }))).to.deep.equal(['pattern'])
    expect(await text('pattern')).to.contain('new pattern')
    const made = await goneAfter(() =>
      insert('Menu', { type: 'wp_navigation', content: '<!-- wp:navigation-link {"label":"L","url":"/x/"} /-->' }),
    )
    expect(made).to.deep.equal(['navigation'])
    expect(await text('navigation')).to.contain('href="/x/"')
  })

  it('is purged when a term is added or renamed', async () => {
    const { terms } = speed.site.host.content
    expect(await goneAfter(() => terms.insert('category', { name: 'Gardens' }))).to.contain('categories')
    expect(await goneAfter(() => terms.update(speed.ids.food, { name: 'Cooking' }))).to.contain('categories')
    expect(await text('categories')).to.contain('Cooking')
  })

  it('shows a user their own, and leaves that of visitors in the cache', async () => {
    await speed.fill([path('loginout')])
    const own = await speed.site.get(path('loginout'), { headers: { Cookie: 'wordpress_logged_in_x=1' } })
    expect(await own.text()).to.contain('Log in')
    expect(await speed.gone([path('loginout')])).to.deep.equal([])
    expect(await text('loginout')).to.contain('Log in')
  })

  it('is not kept while one of its blocks cannot be rendered', async () => {
    const { terms } = speed.site.host.content
    const { query } = terms
    await terms.insert('category', { name: 'Before' })
    Reflect.set(terms, 'query', () => Promise.reject(new Error('The database is busy.')))
    expect(await text('categories')).not.to.contain('cat-item')
    expect(await speed.visit(path('categories'))).not.to.equal('HIT')
    Reflect.set(terms, 'query', query)
    expect(await text('categories')).to.contain('cat-item')
  })

  it('is purged when a new day begins, where it says which day it is', async () => {
    const before = 'Fri, 26 Jun 2026 23:50:00 GMT'
    const late = await createTestHost({ now: before, services: true })
    const { content, jobs } = late.host
    const read = async () => {
      const answer = await late.get('/day/')
      return { cached: answer.headers.get('x-cache'), html: await answer.text() }
    }
    await content.posts.insert({ type: 'page', status: 'publish', title: 'Day', content: BLOCKS.calendar })
    await content.posts.insert({ status: 'publish', title: 'Post' })
    await jobs.runDue()
    expect((await read()).html).to.match(/<td id="?today"?>(?:<a[^>]*>)?26</)
    expect((await read()).cached).not.to.equal('MISS')
    await late.clock.advance(20 * 60_000)
    await jobs.runDue()
    expect((await read()).html).to.match(/<td id="?today"?>(?:<a[^>]*>)?27</)
    await late.close()
  })
})
