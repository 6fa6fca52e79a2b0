import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'
import { ask, call, clear, make } from './redirects-site.ts'

describe('Redirects for pages that move', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(async () => {
    await clear(site)
    await set(site, { autoRedirectSlugChange: 'on' })
  })

  const add = async (title: string, more: object = {}) =>
    (await site.host.content.posts.insert({ type: 'page', title, status: 'publish', ...more })).id
  const rename = (id: number, slug: string) => site.host.content.posts.update(id, { slug })
  const rules = async () =>
    (await call(site, 'GET', '/redirects?order=asc')).data.items.map(
      ({ source, target }: { source: string; target: string }) => `${source} → ${target}`,
    )

  it('are made for a page and all below it', async () => {
    const top = await add('Alpha')
    const middle = await add('Beta', { parentId: top })
    await add('Gamma', { parentId: middle })
    // A page that somebody has seen may still be remembered.
    expect(await ask(site, '/alpha/')).to.equal('200')
    await rename(top, 'omega')
    expect(await ask(site, '/alpha/')).to.equal('301 /omega/')
    expect(await ask(site, '/alpha/beta')).to.equal('301 /omega/beta/')
    expect(await ask(site, '/alpha/beta/gamma/')).to.equal('301 /omega/beta/gamma/')
    expect(await ask(site, '/omega/beta/gamma/')).to.equal('200')
  })

  it('are created for a category and its children, and removed for a new one', async () => {
    const { terms } = site.host.content
    const top = await terms.insert('category', { name: 'Travel' })
    await terms.insert('category', { name: 'Europe', parentId: top.id })
    await site.host.content.posts.insert({ title: 'Rome', status: 'publish', terms: { category: [top.id] } })
    await terms.update(top.id, { slug: 'trips' })
    expect(await ask(site, '/category/travel/')).to.equal('301 /category/trips/')
    expect(await ask(site, '/category/travel/europe/')).to.equal('301 /category/trips/europe/')
    expect(await ask(site, '/category/trips/')).to.equal('200')
    await terms.update(top.id, { name: 'All trips', description: 'New.' })
    await terms.insert('category', { name: 'Travel' })
    expect(await ask(site, '/category/travel/')).to.equal('200')
    await set(site, { autoRedirectSlugChange: 'off' })
    await terms.update(top.id, { slug: 'tours' })
    expect(await ask(site, '/category/trips/')).to.equal('404')
  })

  it('are not made for what an import puts below a parent that comes later', async () => {
    const { hooks, content } = site.host
    await hooks.doActionAsync('import_start')
    const [page, parent] = [await add('Child'), await add('Parent')]
    const { id } = await content.terms.insert('category', { name: 'Below' })
    const above = await content.terms.insert('category', { name: 'Above' })
    await content.posts.update(page, { parentId: parent })
    await content.terms.update(id, { parentId: above.id })
    await hooks.doActionAsync('import_end')
    expect(await rules()).to.deep.equal([])
    await rename(page, 'grown')
    expect(await rules()).to.deep.equal(['/parent/child/ → /parent/grown/'])
  })

  it('never form a chain or a circle, however often a page moves', async () => {
    const id = await add('One')
    await rename(id, 'two')
    await rename(id, 'three')
    expect(await rules()).to.deep.equal(['/one/ → /three/', '/two/ → /three/'])
    await rename(id, 'one')
    expect(await rules()).to.deep.equal(['/two/ → /one/', '/three/ → /one/'])
    expect(await ask(site, '/one/')).to.equal('200')
    expect(await ask(site, '/three/')).to.equal('301 /one/')
  })

  it('are removed for a new page at the old URL, unless the rule was created manually', async () => {
    const id = await add('First')
    await rename(id, 'renamed')
    await add('Another', { slug: 'first' })
    expect(await ask(site, '/first/')).to.equal('200')
    await make(site, '/wanted/', '/renamed/')
    await add('Wanted', { slug: 'wanted' })
    expect(await ask(site, '/wanted/')).to.equal('301 /renamed/')
  })

  it('are not created for a URL that something else still has', async () => {
    await add('About', { slug: 'about' })
    const former = await add('Former')
    await rename(former, 'about-us')
    await site.host.content.posts.update(former, { slug: 'about-them' })
    for (const slug of ['about', 'about-them']) {
      const body = { title: 'Mine', slug, status: 'publish' }
      const answer = await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'author', body })
      const { id, link } = JSON.parse(await answer.text())
      expect(link).to.equal(`${site.url}/${slug}/`)
      await site.request(`/wp-json/wp/v2/posts/${id}`, { method: 'POST', as: 'author', body: { slug: `my-${slug}` } })
      expect(await ask(site, `/${slug}/`)).to.equal('200')
      expect(await ask(site, `/my-${slug}/`)).to.equal('200')
    }
    expect(await rules()).to.deep.equal(['/former/ → /about-them/', '/about-us/ → /about-them/'])
  })

  it('switch off a rule that led to the page from where it is now, which would hide it', async () => {
    for (const type of ['page', 'post']) {
      const { id } = await site.host.content.posts.insert({ type, title: 'Team', slug: 'team', status: 'publish' })
      await make(site, '/Our-Team', '/our-company')
      await make(site, '/our-company', '/team/?from=old')
      await rename(id, 'our-team')
      expect(await ask(site, '/our-team/'), type).to.equal('200')
      expect(await ask(site, '/our-company'), type).to.equal('301 /team/?from=old')
      expect(await ask(site, '/team/'), type).to.equal('301 /our-team/')
      const { items } = (await call(site, 'GET', '/redirects?enabled=false')).data
      expect(
        items.map(({ source }: { source: string }) => source),
        type,
      ).to.deep.equal(['/Our-Team'])
      await site.host.content.posts.delete(id)
      await clear(site)
    }
  })

  it('leave alone what an administrator has decided, drafts, and sites that do not want them', async () => {
    const id = await add('Kept')
    await make(site, '/kept/', 'https://other.example/')
    await rename(id, 'kept-not')
    const draft = await add('Draft', { status: 'draft', slug: 'draft-one' })
    await rename(draft, 'draft-two')
    await set(site, { autoRedirectSlugChange: 'off' })
    const other = await add('Other')
    await rename(other, 'other-one')
    expect(await rules()).to.deep.equal(['/kept/ → https://other.example/'])
  })
})
