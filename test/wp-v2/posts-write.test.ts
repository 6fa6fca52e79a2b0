import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

const PICTURE = { type: 'attachment', status: 'inherit', mimeType: 'image/png', title: 'A picture' }

onEachDatabase('writing wp/v2 posts and pages', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let editor: string
  let author: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    editor = await site.signIn('ed', 'editor')
    author = await site.signIn('aut', 'author')
  })

  type Created = { readonly [field: string]: unknown; readonly id: number }
  const create = async (post: object, as = admin, kind = 'posts'): Promise<Created> => {
    const told = await site.ask(`POST /wp/v2/${kind}`, post, as)
    expect(told.status, JSON.stringify(told.body)).to.equal(201)
    return { ...told.item, id: Number(told.item.id) }
  }
  const update = async (id: number, changes: object, as = admin, kind = 'posts') => {
    const told = await site.ask(`POST /wp/v2/${kind}/${id}`, changes, as)
    expect(told.status, JSON.stringify(told.body)).to.equal(200)
    return told.item
  }
  const read = async (id: number, as = admin, kind = 'posts') =>
    (await site.ask(`GET /wp/v2/${kind}/${id}?context=edit`, undefined, as)).item
  const rawOf = (value: unknown) => toObject(value).raw
  const term = async (kind: string, name: string) =>
    Number((await site.ask(`POST /wp/v2/${kind}`, { name }, admin)).item.id)

  it('a single post says where its page is', async () => {
    const { id } = await create({ title: 'With a page', status: 'publish' })
    const { headers } = await site.ask(`GET /wp/v2/posts/${id}`)
    expect(headers.get('link')).to.include(`<${site.url}/with-a-page/>; rel="alternate"; type=text/html`)
    const block = await create({ title: 'Without', status: 'publish' }, admin, 'blocks')
    const shown = await site.ask(`GET /wp/v2/blocks/${block.id}`, undefined, admin)
    expect(shown.headers.get('link')).to.not.include('alternate')
  })

  it('a deletion shows the fields of the deleted one that are asked for', async () => {
    const gone = async (fields: string) => {
      const { id } = await create({ title: 'Gone' })
      const told = await site.ask(`DELETE /wp/v2/posts/${id}?force=true&_fields=${fields}`, undefined, admin)
      return { id, body: told.body }
    }
    const one = await gone('previous.id')
    expect(one.body).to.deep.equal({ previous: { id: one.id } })
    const both = await gone('deleted,previous')
    expect(both.body).to.have.all.keys('deleted', 'previous').and.to.have.nested.property('previous.title.raw', 'Gone')
  })

  describe('POST /wp/v2/posts', () => {
    it('answers 201 with the address of the new one, for an editor', async () => {
      const { status, headers, item } = await site.ask('POST /wp/v2/posts', { title: 'First <b>one</b>' }, admin)
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/posts/${item.id}`)
      expect(item).to.include({ status: 'draft', slug: '', generated_slug: 'first-one', format: 'standard' })
      expect(item.title).to.deep.equal({ raw: 'First <b>one</b>', rendered: 'First <b>one</b>' })
      expect(item.author).to.equal(await site.idOf('admin'))
      expect(item.categories).to.deep.equal([1])
      expect(item.link).to.equal(`${site.url}/?p=${item.id}`)
    })

    it('stores every field, and answers what it stored', async () => {
      const [category, tag] = [await term('categories', 'Kept'), await term('tags', 'kept')]
      const picture = await site.host.content.posts.insert(PICTURE)
      const fields = {
        ...{ status: 'publish', slug: 'my-own', date: '2024-02-03T04:05:06', author: await site.idOf('ed') },
        ...{ comment_status: 'closed', ping_status: 'closed', format: 'aside', template: 'wide' },
        ...{ featured_media: picture.id, categories: [category], tags: [tag], sticky: true },
      }
      const item = await create({ ...fields, title: { raw: 'T' }, content: { raw: '<p>C</p>' }, excerpt: 'E' })
      expect(item).to.deep.include(fields)
      expect([rawOf(item.title), rawOf(item.content), rawOf(item.excerpt)]).to.deep.equal(['T', '<p>C</p>', 'E'])
      expect(await read(item.id)).to.deep.include(fields)
      expect((await fetch(`${site.url}/my-own/`)).status).to.equal(200)
    })

    it('makes a title into a slug, and each slug unique, a draft’s own one too', async () => {
      const slugs = []
      for (const status of ['publish', 'publish', 'private'])
        slugs.push((await create({ title: 'Same name', status })).slug)
      slugs.push((await create({ title: 'Other', slug: 'Same Name', status: 'draft' })).slug)
      expect(slugs).to.deep.equal(['same-name', 'same-name-2', 'same-name-3', 'same-name-4'])
      expect((await create({ title: '日本', status: 'publish' })).slug).to.equal('%e6%97%a5%e6%9c%ac')
      expect((await create({ title: '2024', status: 'publish' })).slug).to.equal('2024-2')
    })

    it('refuses a post without title, content and excerpt, but takes an empty page', async () => {
      expect(await site.outcome('POST /wp/v2/posts', {}, admin)).to.equal('400 empty_content')
      expect(await site.outcome('POST /wp/v2/pages', {}, admin)).to.equal('201')
      const { id } = await create({ title: 'Full' })
      expect(await site.outcome(`POST /wp/v2/posts/${id}`, { title: '' }, admin)).to.equal('400 empty_content')
    })

    const refusals: [what: string, post: object, outcome: string][] = [
      ['an id, as if it were an update', { id: 1 }, '400 rest_post_exists'],
      ['a status that there is not', { status: 'nope' }, '400 rest_invalid_param'],
      ['a date that is none', { date: '2026-02-31T00:00:00' }, '400 rest_invalid_param'],
      ['an author that there is not', { author: 999 }, '400 rest_invalid_author'],
      ['a featured image that there is not', { featured_media: 999999 }, '400 rest_invalid_featured_media'],
      ['a featured image that is none', { featured_media: 1 }, '400 rest_invalid_featured_media'],
      ['a template that the theme lacks', { template: 'nope' }, '400 rest_invalid_param'],
      ['a sticky post with a password', { sticky: true, password: 'x' }, '400 rest_invalid_field'],
      ['a format that there is not', { format: 'song' }, '400 rest_invalid_param'],
      ['an id too large for any row', { featured_media: 2 ** 40 }, '400 rest_invalid_param'],
    ]
    for (const [what, post, outcome] of refusals) {
      it(`refuses ${what}, and stores nothing`, async () => {
        const before = (await site.ask('GET /wp/v2/posts?status=any', undefined, admin)).headers.get('x-wp-total')
        expect(await site.outcome('POST /wp/v2/posts', { title: 'x', ...post }, admin)).to.equal(outcome)
        const after = (await site.ask('GET /wp/v2/posts?status=any', undefined, admin)).headers.get('x-wp-total')
        expect(after).to.equal(before)
      })
    }

    it('takes a title of any length', async () => {
      const { id } = await create({ title: 'Word '.repeat(100_000) })
      expect(rawOf((await read(id)).title)).to.have.length(500_000)
    })

    it('leaves out terms that there are not, as WordPress does', async () => {
      const tag = await term('tags', 'there')
      expect((await create({ title: 'x', tags: [tag, 999999] })).tags).to.deep.equal([tag])
    })
  })

  describe('dates', () => {
    it('of a draft float with its saves until it is published', async () => {
      const { id, date_gmt: made } = await create({ title: 'Floats' })
      const saved = await update(id, { title: 'Floats on' })
      expect(saved.date_gmt).to.equal(saved.modified_gmt)
      expect(String(saved.date_gmt) > String(made)).to.equal(true)
    })

    it('stay where they were set, and float again after null', async () => {
      const { id } = await create({ title: 'Fixed', date: '2020-01-02T03:04:05' })
      expect((await update(id, { title: 'Still' })).date).to.equal('2020-01-02T03:04:05')
      const reset = await update(id, { date: null })
      expect(reset.date_gmt).to.equal(reset.modified_gmt)
    })

    it('are read in the zone that they name', async () => {
      const { date_gmt: gmt } = await create({ title: 'Zone', date: '2020-01-02T03:04:05+02:00' })
      expect(gmt).to.equal('2020-01-02T01:04:05')
      const site2 = await create({ title: 'Zone', date_gmt: '2020-01-02T03:04:05' })
      expect(site2.date).to.equal('2020-01-02T03:04:05')
    })
  })

  describe('POST, PUT and PATCH /wp/v2/posts/{id}', () => {
    it('change what is sent and nothing else', async () => {
      const { id } = await create({ title: 'Old', content: 'Kept', status: 'publish' })
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const { status, item } = await site.ask(`${method} /wp/v2/posts/${id}`, { title: method }, admin)
        expect([status, rawOf(item.title), rawOf(item.content)]).to.deep.equal([200, method, 'Kept'])
        expect(item.slug).to.equal('old')
      }
    })

    it('take back the whole record that a client has read', async () => {
      const { id } = await create({ title: 'Round', content: '<p>trip</p>', status: 'publish', tags: [] })
      const whole = await read(id)
      const again = await update(id, whole)
      const { modified: _, modified_gmt: __, _links: ___, ...rest } = again
      expect(whole).to.deep.include(rest)
    })

    it('refuse a post that there is not, a page and a revision', async () => {
      expect(await site.outcome('POST /wp/v2/posts/999999', { title: 'x' }, admin)).to.equal('404 rest_post_invalid_id')
      const page = await create({ title: 'Page' }, admin, 'pages')
      expect(await site.outcome(`POST /wp/v2/posts/${page.id}`, {}, admin)).to.equal('404 rest_post_invalid_id')
    })

    it('keep a sticky post and one with a password apart', async () => {
      const outcome = (id: number, changes: object) => site.outcome(`POST /wp/v2/posts/${id}`, changes, admin)
      const stuck = await create({ title: 'Stuck', sticky: true })
      expect(await outcome(stuck.id, { password: 'x' })).to.equal('400 rest_invalid_field')
      expect(await outcome(stuck.id, { password: 'x', sticky: false })).to.equal('200')
      expect(await outcome(stuck.id, { sticky: true })).to.equal('400 rest_invalid_field')
    })

    it('take the parent and the order of pages', async () => {
      const above = await create({ title: 'Above', status: 'publish' }, admin, 'pages')
      const below = await create({ title: 'Below', status: 'publish', parent: above.id, menu_order: 3 }, admin, 'pages')
      expect(below).to.include({ parent: above.id, menu_order: 3, link: `${site.url}/above/below/` })
      await update(above.id, { slug: 'over' }, admin, 'pages')
      expect((await read(below.id, admin, 'pages')).link).to.equal(`${site.url}/over/below/`)
      const outcome = await site.outcome(`POST /wp/v2/pages/${below.id}`, { parent: 999999 }, admin)
      expect(outcome).to.equal('400 rest_post_invalid_id')
    })
  })

  describe('two editors at once', () => {
    it('the second gets a conflict, if it sends the version that it has seen', async () => {
      const { id, modified_gmt: seen } = await create({ title: 'Shared', content: 'base', status: 'publish' })
      const first = await update(id, { content: 'first', modified_gmt: seen }, editor)
      const { status, item } = await site.ask(
        `POST /wp/v2/posts/${id}`,
        { content: 'second', modified_gmt: seen },
        admin,
      )
      expect([status, item.code]).to.deep.equal([409, 'rest_post_modified'])
      expect(item.data).to.deep.equal({ status: 409, modified_gmt: first.modified_gmt })
      expect(rawOf((await read(id)).content)).to.equal('first')
      const again = await site.outcome(
        `POST /wp/v2/posts/${id}`,
        { content: 'second', modified_gmt: first.modified_gmt },
        admin,
      )
      expect(again).to.equal('200')
    })

    it('of many saves of one version at the same moment one goes through', async () => {
      const { id, modified_gmt: seen } = await create({ title: 'Race', content: 'base', status: 'publish' })
      const saves = ['a', 'b', 'c', 'd'].map((content) =>
        site.outcome(`POST /wp/v2/posts/${id}`, { content, modified_gmt: seen }, admin),
      )
      expect((await Promise.all(saves)).toSorted()).to.deep.equal([
        ...['200', '409 rest_post_modified', '409 rest_post_modified', '409 rest_post_modified'],
      ])
    })

    it('If-Unmodified-Since says the same in HTTP’s words', async () => {
      const { id } = await create({ title: 'Header', status: 'publish' })
      const save = (since: string) =>
        fetch(`${site.url}/wp-json/wp/v2/posts/${id}`, {
          method: 'POST',
          headers: { authorization: admin, 'content-type': 'application/json', 'if-unmodified-since': since },
          body: '{"title":"New"}',
        })
      expect((await save('Mon, 01 Jan 2024 00:00:00 GMT')).status).to.equal(409)
      expect((await save(new Date(Date.now() + 60_000).toUTCString())).status).to.equal(200)
      expect((await save('yesterday')).status).to.equal(200)
    })

    it('without it the last one wins, and both are kept, what was there before too', async () => {
      const { id } = await create({ title: 'Shared', content: 'base', status: 'publish' })
      await Promise.all([update(id, { content: 'first' }, editor), update(id, { content: 'second' })])
      const { body } = await site.ask(`GET /wp/v2/posts/${id}/revisions?context=edit`, undefined, admin)
      const kept = Array.isArray(body) ? body.map((revision) => rawOf(toObject(revision).content)) : []
      expect(kept).to.have.members(['base', 'first', 'second'])
    })
  })

  describe('DELETE /wp/v2/posts/{id}', () => {
    it('moves to the trash, once, and frees the slug', async () => {
      const { id } = await create({ title: 'Thrown', status: 'publish' })
      const { status, item } = await site.ask(`DELETE /wp/v2/posts/${id}`, undefined, admin)
      expect([status, item.status, item.slug]).to.deep.equal([200, 'trash', 'thrown__trashed'])
      expect(await site.outcome(`DELETE /wp/v2/posts/${id}`, undefined, admin)).to.equal('410 rest_already_trashed')
      expect((await create({ title: 'Thrown', status: 'publish' })).slug).to.equal('thrown')
      expect((await update(id, { status: 'draft' })).slug).to.equal('thrown')
    })

    it('with force deletes permanently, and returns the deleted post', async () => {
      const { id } = await create({ title: 'Gone', status: 'publish' })
      const { status, item } = await site.ask(`DELETE /wp/v2/posts/${id}?force=true`, undefined, admin)
      expect([status, item.deleted, toObject(item.previous).id]).to.deep.equal([200, true, id])
      expect(toObject(item.previous).status).to.equal('publish')
      expect(await site.outcome(`GET /wp/v2/posts/${id}`, undefined, admin)).to.equal('404 rest_post_invalid_id')
    })

    it('answers 501 where an extension has no trash', async () => {
      const { id } = await create({ title: 'Untrashable' })
      const undo = site.host.hooks.addFilter('rest_post_trashable', () => false)
      try {
        expect(await site.outcome(`DELETE /wp/v2/posts/${id}`, undefined, admin)).to.equal(
          '501 rest_trash_not_supported',
        )
      } finally {
        undo()
      }
    })
  })

  describe('text of users without unfiltered_html', () => {
    const hostile =
      '<!-- wp:paragraph {"align":"left"} -->\n<p onclick="x()">Hi<script>x</script></p>\n<!-- /wp:paragraph -->'

    it('loses what can run, and keeps its blocks', async () => {
      const post = await create(
        { title: '<img src=x onerror=x()>T <em>e</em>', content: hostile, excerpt: hostile },
        author,
      )
      const clean = '<!-- wp:paragraph {"align":"left"} -->\n<p>Hi</p>\n<!-- /wp:paragraph -->'
      expect([rawOf(post.title), rawOf(post.content), rawOf(post.excerpt)]).to.deep.equal([
        'T <em>e</em>',
        clean,
        clean,
      ])
      expect(rawOf((await update(post.id, { content: hostile }, author)).content)).to.equal(clean)
    })

    it('is stored as it is from an editor', async () => {
      expect(rawOf((await create({ title: 'x', content: hostile }, editor)).content)).to.equal(hostile)
    })
  })

  describe('capabilities', () => {
    it('an author cannot write in another’s name, nor assign what is refused to them', async () => {
      const other = await site.idOf('ed')
      const outcome = (post: object) => site.outcome('POST /wp/v2/posts', { title: 'x', ...post }, author)
      expect(await outcome({ author: other })).to.equal('403 rest_cannot_edit_others')
      const tag = await term('tags', 'reserved')
      const undo = site.host.hooks.addFilter('map_meta_cap', (caps, cap, _user, args) =>
        cap === 'assign_term' && args[0] === tag ? ['do_not_allow'] : caps,
      )
      try {
        expect(await outcome({ tags: [tag] })).to.equal('403 rest_cannot_assign_term')
      } finally {
        undo()
      }
    })

    it('users without permission get no validation errors for parameters, as in WordPress', async () => {
      expect(await site.outcome('POST /wp/v2/posts', { author: 'x' })).to.equal('401 rest_cannot_create')
      expect(await site.outcome('POST /wp/v2/posts', { author: 1 })).to.equal('401 rest_cannot_edit_others')
      expect(await site.outcome('POST /wp/v2/posts', { sticky: true })).to.equal('401 rest_cannot_assign_sticky')
      const large = { author: 1, content: 'x'.repeat(70_000) }
      expect(await site.outcome('POST /wp/v2/posts', large)).to.equal('401 rest_cannot_create')
    })

    it('an anonymous visitor gets 401', async () => {
      const { id } = await create({ title: 'Public', status: 'publish' })
      expect(await site.outcome('POST /wp/v2/posts', { title: 'x' })).to.equal('401 rest_cannot_create')
      expect(await site.outcome(`POST /wp/v2/posts/${id}`, { title: 'x' })).to.equal('401 rest_cannot_edit')
      expect(await site.outcome(`DELETE /wp/v2/posts/${id}`)).to.equal('401 rest_cannot_delete')
    })
  })
})
