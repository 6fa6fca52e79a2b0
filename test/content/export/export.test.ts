import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { type OwnSite, openOwnSite } from '../../wp-v2/own-site.ts'

/** Whether a parser that repairs nothing reads it, and the texts of all elements of a name. */
function textsOf(xml: string, name: string): string[] {
  const parser = new SaxesParser<{ xmlns: true }>({ xmlns: true })
  const texts: string[] = []
  let open = false
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    open = tag.name === name
    if (open) texts.push('')
  })
  const add = (text: string) => {
    if (open) texts.push((texts.pop() ?? '') + text)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    open = false
  })
  parser.write(xml).close()
  return texts
}

describe('GET /host/v1/export', () => {
  let site: OwnSite
  let admin: string

  before(async () => {
    site = await openOwnSite()
    admin = await site.signIn('admin', 'administrator')
    const { content, auth } = site.host
    const annie = await auth.users.create({
      login: 'annie',
      email: 'annie@example.org',
      password: 'correct horse battery',
    })
    const parent = await content.terms.insert('category', { name: 'Food' })
    const child = await content.terms.insert('category', { name: 'Cheese', parentId: parent.id })
    await content.terms.insert('category', { name: 'Unused' })
    const post = await content.posts.insert({
      ...{ title: 'Of cheese', status: 'publish', date: '2026-01-31T23:59:59', authorId: annie.id },
      terms: { category: [child.id] },
    })
    await content.posts.insert({ title: 'Draft', status: 'draft', date: '2026-02-01T00:00:00', authorId: annie.id })
    await content.posts.insert({ title: 'Never saved', status: 'auto-draft' })
    await content.posts.update(post.id, { content: 'A second version, of which there is a revision.' })
    await content.comments.insert({
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Ann', authorEmail: '', authorUrl: '' },
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
  })
  after(() => site.close())

  async function download(query = '', as = admin): Promise<{ xml: string; headers: Headers; titles: string[] }> {
    const response = await fetch(`${site.url}/wp-json/host/v1/export${query}`, { headers: { authorization: as } })
    const xml = await response.text()
    expect(response.status, xml).to.equal(200)
    const items = xml.slice(xml.indexOf('<item>'))
    return {
      xml,
      headers: response.headers,
      titles: [...items.matchAll(/<title><!\[CDATA\[(.*?)\]\]>/g)].map(([, t]) => t ?? ''),
    }
  }

  it('is a file named after the site, with everything except revisions and auto-drafts', async () => {
    const { headers, titles } = await download()
    expect(headers.get('content-disposition')).to.match(
      /^attachment; filename="my-pentad-site\.WordPress\.\d{4}-\d\d-\d\d\.xml"$/,
    )
    expect(headers.get('content-type')).to.equal('text/xml; charset=utf-8')
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(titles).to.have.members(['Hello world!', 'Sample Page', 'Of cheese', 'Draft'])
    expect(headers.get('x-wp-total')).to.equal('4')
  })

  it('refuses parameters that it does not know, such as those of the command line', async () => {
    for (const query of ['start_date=2026-01-01', 'post_type=page', 'skip_comments=1', 'type=page&x=1'])
      expect(await site.outcome(`GET /host/v1/export?${query}`, undefined, admin), query).to.equal(
        '400 rest_invalid_param',
      )
    expect((await download('?_locale=user&type=page')).titles).to.deep.equal(['Sample Page'])
  })

  it('is for administrators', async () => {
    expect(await site.outcome('GET /host/v1/export')).to.equal('401 rest_forbidden')
    const editor = await site.signIn('ed', 'editor')
    expect(await site.outcome('GET /host/v1/export', undefined, editor)).to.equal('403 rest_forbidden')
  })

  it('takes a type, a status, an author, a category and days, with the terms that are used and those above them', async () => {
    const annie = await site.idOf('annie')
    const cheese = await site.host.content.terms.getBySlug('category', 'cheese')
    expect((await download('?type=page')).titles).to.deep.equal(['Sample Page'])
    expect((await download('?type=post&status=draft')).titles).to.deep.equal(['Draft'])
    expect((await download(`?author=${annie}`)).titles).to.deep.equal(['Of cheese', 'Draft'])
    expect((await download('?startDate=2026-02-01&endDate=2026-02-01')).titles).to.deep.equal(['Draft'])
    expect((await download('?startDate=2026-01-31&endDate=2026-01-31')).titles).to.deep.equal(['Of cheese'])
    const { titles, xml } = await download(`?category=${cheese?.id}`)
    expect(titles).to.deep.equal(['Of cheese'])
    expect(textsOf(xml, 'wp:cat_name')).to.deep.equal(['Food', 'Cheese'])
    expect(textsOf(xml, 'wp:author_login')).to.deep.equal(['annie'])
    expect(textsOf(xml, 'wp:comment_content')).to.deep.equal(['Yes'])
    expect(textsOf((await download('?comments=false')).xml, 'wp:comment_content')).to.deep.equal([])
  })

  it('rejects unknown types and invalid dates', async () => {
    for (const query of ['?type=nothing', '?startDate=2026-02-30', '?endDate=yesterday', '?author=x'])
      expect(await site.outcome(`GET /host/v1/export${query}`, undefined, admin)).to.equal('400 rest_invalid_param')
  })

  it('is well-formed whatever texts hold, and loses only characters that XML does not allow', async () => {
    const { content } = site.host
    const hostile =
      'a]]>b ]]]]><![CDATA[ </content:encoded> &amp; &#0; \r\n\u0000\u0007\u001f\ufffe\ud800 🧀 <!-- ?> --'
    const term = await content.terms.insert('post_tag', { name: hostile })
    await content.posts.insert({
      ...{ title: hostile, content: hostile, excerpt: hostile, status: 'private', password: ']]>', guid: '"><x>&' },
      ...{ terms: { post_tag: [term.id] }, meta: { [hostile]: [hostile, { [hostile]: hostile }] } },
    })
    const { xml } = await download('?status=private')
    const kept = 'a]]>b ]]]]><![CDATA[ </content:encoded> &amp; &#0; \r\n\ufffd 🧀 <!-- ?> --'
    expect(textsOf(xml, 'content:encoded')).to.deep.equal([kept])
    expect(textsOf(xml, 'category')).to.include(kept)
    const bytes = Buffer.byteLength(kept)
    expect(textsOf(xml, 'wp:meta_value')).to.deep.equal([kept, `a:1:{s:${bytes}:"${kept}";s:${bytes}:"${kept}";}`])
  })

  it('has no passwords of users, no sessions, and no meta that only this site can use', async () => {
    const { content, hooks, database } = site.host
    const post = await content.posts.insert({
      title: 'Locked',
      status: 'pending',
      meta: { _edit_lock: ['1:1'], mine: ['1'] },
    })
    const undo = hooks.addFilter('wxr_export_skip_postmeta', (skip, key) => skip || key === 'mine')
    try {
      const { xml, titles } = await download()
      expect(titles).to.include(post.title)
      expect(xml).to.not.include('_edit_lock').and.not.include('mine')
      const hashes = await database.db.selectFrom('users').select('password_hash').execute()
      for (const { password_hash: hash } of hashes.filter((row) => row.password_hash !== ''))
        expect(xml).to.not.include(hash)
    } finally {
      undo()
    }
  })
})
