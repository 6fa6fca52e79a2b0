import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'

describe('the tags of a page', () => {
  let site: TestHost
  let tags: ReadonlySet<string>
  const ids = { child: 0, parent: 0, tag: 0, first: 0, second: 0, third: 0, about: 0, team: 0 }

  async function tagsOf(path: string): Promise<string[]> {
    await site.get(path)
    return [...tags].sort()
  }

  before(async () => {
    site = await createTestHost()
    const { content, hooks } = site.host
    hooks.addFilter('wp_headers', (headers, page) => {
      tags = page.tags
      return headers
    })
    ids.parent = (await content.terms.insert('category', { name: 'Animals' })).id
    ids.child = (await content.terms.insert('category', { name: 'Cats', parentId: ids.parent })).id
    ids.tag = (await content.terms.insert('post_tag', { name: 'Furry' })).id
    const write = async (title: string, more: object) =>
      (await content.posts.insert({ title, status: 'publish', authorId: 1, ...more })).id
    ids.first = await write('First', { date: '2020-01-01 10:00:00', terms: { category: [ids.child] } })
    ids.second = await write('Second', { date: '2020-01-02 10:00:00', terms: { post_tag: [ids.tag] } })
    ids.third = await write('Third', { date: '2020-01-03 10:00:00' })
    ids.about = await write('About', { type: 'page' })
    ids.team = await write('Team', { type: 'page', parentId: ids.about })
  })
  after(() => site.close())

  it('name the post of a single page, its author, its terms, its neighbors and the menu', async () => {
    const { first, second, third, tag } = ids
    const found = await tagsOf('/second/')
    expect(found).to.include.members([`post-${second}`, 'author-1', `term-${tag}`, 'menu-0'])
    expect(found).to.include.members([`post-${first}`, `post-${third}`])
    expect(found).not.to.include('home')
  })

  it('name the lists a page is, and the posts on it', async () => {
    expect(await tagsOf('/')).to.include.members(['home', `post-${ids.first}`, `post-${ids.third}`, `term-${ids.tag}`])
    expect(await tagsOf('/feed/')).to.include.members(['home', `post-${ids.first}`])
    const archive = await tagsOf('/category/animals/')
    expect(archive).to.include.members([`archive-term-${ids.parent}`, `term-${ids.parent}`, `post-${ids.first}`])
    expect(archive).not.to.include(`post-${ids.second}`)
    expect(await tagsOf('/author/admin/')).to.include.members(['archive-author-1', 'author-1'])
    expect(await tagsOf('/2020/01/')).to.include('archive-date-2020-1')
    expect(await tagsOf('/?s=Second')).to.include.members(['search', `post-${ids.second}`])
  })

  it('name the pages that a page lists', async () => {
    expect(await tagsOf('/about/')).to.include.members([`post-${ids.about}`, `menu-${ids.about}`])
    expect(await tagsOf('/about/team/')).to.include.members([`post-${ids.team}`, `post-${ids.about}`])
  })

  it('identify pages that were not found', async () => {
    expect(await tagsOf('/nothing-here/')).to.deep.equal(['404', 'menu-0'])
  })

  it('are added to by extensions, and refused where a header could not carry them', async () => {
    const refused: unknown[] = []
    site.host.hooks.addAction('template_redirect', (page) => {
      page.addTags('product-7', 'shop_1')
      for (const name of ['two words', 'a,b', 'line\nbreak', '', 'x'.repeat(61)]) {
        try {
          page.addTags(name)
        } catch (error) {
          refused.push(error)
        }
      }
    })
    expect(await tagsOf('/third/')).to.include.members(['product-7', 'shop_1'])
    expect(refused).to.have.length(5)
  })

  it('are those of an answer in a page’s stead where it names them; its headers then go through wp_headers', async () => {
    const undo = site.host.hooks.addAction('template_redirect', (page) => {
      if (page.path === '/prices/') page.respond({ body: 'Prices', tags: ['product-7'] })
      if (page.path === '/unknown/') page.respond({ body: 'Who knows' })
    })
    expect(await tagsOf('/prices/')).to.deep.equal(['product-7'])
    tags = new Set(['untold'])
    expect(await tagsOf('/unknown/')).to.deep.equal(['untold'])
    undo()
  })
})
