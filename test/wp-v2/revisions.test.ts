import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('wp/v2 revisions and autosaves', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let editor: string
  let author: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    editor = await site.signIn('ed', 'editor')
    author = await site.signIn('aut', 'author')
  })

  const create = async (post: object, as = admin) =>
    Number((await site.ask('POST /wp/v2/posts', { status: 'publish', ...post }, as)).item.id)
  const update = (id: number, changes: object, as = admin) => site.ask(`POST /wp/v2/posts/${id}`, changes, as)
  const list = async (id: number, query = '', as = admin) => {
    const { body } = await site.ask(`GET /wp/v2/posts/${id}/revisions?context=edit${query}`, undefined, as)
    return Array.isArray(body) ? body.map(toObject) : []
  }
  const titles = async (id: number, query = '') => (await list(id, query)).map(({ title }) => toObject(title).raw)

  describe('GET /wp/v2/posts/{id}/revisions', () => {
    it('lists what every change of title, content or excerpt kept, newest first', async () => {
      const id = await create({ title: 'one', content: 'x' })
      expect(await titles(id)).to.deep.equal([])
      await update(id, { title: 'two' })
      await update(id, { title: 'three' }, editor)
      await update(id, { comment_status: 'closed' })
      await update(id, { title: 'three ' })
      expect(await titles(id)).to.deep.equal(['three', 'two', 'one'])
      const [newest] = await list(id)
      expect(newest).to.include({ author: await site.idOf('ed'), parent: id, slug: `${id}-revision-v1` })
      expect(Object.keys(newest ?? {})).to.deep.equal([
        ...['author', 'date', 'date_gmt', 'id', 'modified', 'modified_gmt', 'parent', 'slug', 'guid'],
        ...['title', 'content', 'excerpt', '_links'],
      ])
      expect(newest?._links).to.deep.equal({ parent: [{ href: `${site.url}/wp-json/wp/v2/posts/${id}` }] })
    })

    it('pages, searches and sorts, and refuses what lies beyond the end', async () => {
      const id = await create({ title: 'a' })
      for (const title of ['b', 'c']) await update(id, { title })
      expect(await titles(id, '&per_page=2')).to.deep.equal(['c', 'b'])
      expect(await titles(id, '&per_page=2&page=2')).to.deep.equal(['a'])
      expect(await titles(id, '&order=asc&orderby=id')).to.deep.equal(['a', 'b', 'c'])
      expect(await titles(id, '&offset=1')).to.deep.equal(['b', 'a'])
      expect(await titles(id, '&search=B')).to.deep.equal(['b'])
      const { headers } = await site.ask(`GET /wp/v2/posts/${id}/revisions?per_page=2`, undefined, admin)
      expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).to.deep.equal(['3', '2'])
      expect(headers.get('link')).to.contain('rel="next"')
      const outcome = (query: string) => site.outcome(`GET /wp/v2/posts/${id}/revisions?${query}`, undefined, admin)
      expect(await outcome('per_page=2&page=3')).to.equal('400 rest_revision_invalid_page_number')
      expect(await outcome('offset=3')).to.equal('400 rest_revision_invalid_offset_number')
    })

    it('is shown to who may edit the post', async () => {
      const id = await create({ title: 'Shown' })
      const outcome = (as?: string, of = id) => site.outcome(`GET /wp/v2/posts/${of}/revisions`, undefined, as)
      expect(await outcome(author)).to.equal('403 rest_cannot_read')
      expect(await outcome()).to.equal('401 rest_cannot_read')
      expect(await outcome(editor)).to.equal('200')
      expect(await outcome(admin, 999999)).to.equal('404 rest_post_invalid_parent')
    })

    it('is linked from the post, with the latest one', async () => {
      const id = await create({ title: 'Linked' })
      await update(id, { title: 'Linked again' })
      const [newest] = await list(id)
      const links = toObject((await site.ask(`GET /wp/v2/posts/${id}`)).item._links)
      const href = `${site.url}/wp-json/wp/v2/posts/${id}/revisions`
      expect(links['version-history']).to.deep.equal([{ count: 2, href }])
      expect(links['predecessor-version']).to.deep.equal([{ id: newest?.id, href: `${href}/${newest?.id}` }])
    })

    it('keeps as many as wp_revisions_to_keep says', async () => {
      const { hooks } = site.host
      const undo = hooks.addFilter('wp_revisions_to_keep', () => 2)
      const gone: number[] = []
      const undoAction = hooks.addAction('wp_delete_post_revision', (id) => void gone.push(id))
      try {
        const id = await create({ title: 'a' })
        for (const title of ['b', 'c', 'd']) await update(id, { title })
        expect(await titles(id)).to.deep.equal(['d', 'c'])
        expect(gone).to.have.length(2)
        undo()
        hooks.addFilter('wp_revisions_to_keep', () => 0)
        await update(id, { title: 'e' })
        expect(await titles(id)).to.deep.equal(['d', 'c'])
      } finally {
        hooks.removeAllFilters('wp_revisions_to_keep')
        undoAction()
      }
    })
  })

  describe('GET and DELETE /wp/v2/posts/{id}/revisions/{id}', () => {
    it('answer one of this post and of no other', async () => {
      const [id, other] = [await create({ title: 'Mine' }), await create({ title: 'Other' })]
      await update(id, { title: 'Mine too' })
      const [newest] = await list(id)
      const outcome = (path: string) => site.outcome(`GET /wp/v2/posts/${path}`, undefined, admin)
      expect(await outcome(`${id}/revisions/${newest?.id}`)).to.equal('200')
      expect(await outcome(`${other}/revisions/${newest?.id}`)).to.equal('404 rest_revision_parent_id_mismatch')
      expect(await outcome(`${id}/revisions/${id}`)).to.equal('404 rest_post_invalid_id')
    })

    it('cannot be deleted, as in WordPress, unless map_meta_cap allows it', async () => {
      const id = await create({ title: 'Kept' })
      await update(id, { title: 'Kept too' })
      const [newest] = await list(id)
      const path = `/wp/v2/posts/${id}/revisions/${newest?.id}`
      expect(await site.outcome(`DELETE ${path}?force=true`, undefined, admin)).to.equal('403 rest_cannot_delete')
      const undo = site.host.hooks.addFilter('map_meta_cap', (caps, cap, _user, args) =>
        cap === 'delete_post' && args[0] === newest?.id ? ['delete_others_posts'] : caps,
      )
      try {
        expect(await site.outcome(`DELETE ${path}`, undefined, admin)).to.equal('501 rest_trash_not_supported')
        const { status, item } = await site.ask(`DELETE ${path}?force=true`, undefined, admin)
        expect([status, item.deleted, toObject(item.previous).id]).to.deep.equal([200, true, newest?.id])
        expect(await titles(id)).to.deep.equal(['Kept'])
      } finally {
        undo()
      }
    })
  })

  describe('POST /wp/v2/posts/{id}/autosaves', () => {
    it('keeps one version for each user beside the published post', async () => {
      const id = await create({ title: 'Live', content: 'c' })
      const save = (title: string, as = admin) => site.ask(`POST /wp/v2/posts/${id}/autosaves`, { title }, as)
      const { status, item } = await save('Typing')
      expect([status, toObject(item.title).raw, toObject(item.content).raw]).to.deep.equal([200, 'Typing', 'c'])
      expect(item).to.include({ parent: id, slug: `${id}-autosave-v1`, preview_link: `${site.url}/live/?preview=true` })
      await save('Typing on')
      await save('Mine', editor)
      const { body } = await site.ask(`GET /wp/v2/posts/${id}/autosaves`, undefined, admin)
      const shown = Array.isArray(body) ? body.map((one) => toObject(toObject(one).title).rendered) : []
      expect(shown).to.have.members(['Typing on', 'Mine'])
      expect(toObject((await site.ask(`GET /wp/v2/posts/${id}`)).item.title).rendered).to.equal('Live')
      const one = await site.outcome(
        `GET /wp/v2/posts/${id}/autosaves/${Number((await save('x')).item.id)}`,
        undefined,
        admin,
      )
      expect(one).to.equal('200')
    })

    it('saves the own draft itself', async () => {
      const { item } = await site.ask('POST /wp/v2/posts', { title: 'Draft' }, author)
      const saved = (await site.ask(`POST /wp/v2/posts/${item.id}/autosaves`, { title: 'Draft 2' }, author)).item
      expect([saved.id, toObject(saved.title).raw]).to.deep.equal([item.id, 'Draft 2'])
      expect(saved.preview_link).to.equal(`${site.url}/?p=${item.id}&preview=true`)
    })

    it('shows each user their own at its preview link, and the post once it is saved', async () => {
      const id = await create({ title: 'Live', content: 'What all see', slug: 'previewed' })
      const typed = (await site.ask(`POST /wp/v2/posts/${id}/autosaves`, { content: 'Typed so far' }, admin)).item
      const look = async (login: string) => {
        const { auth } = site.host
        const user = await auth.users.getByLogin(login)
        const session = user && (await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' }))
        const cookie = session ? auth.sessionCookie(session).split(';')[0] : ''
        const html = await (await fetch(String(typed.preview_link), { headers: { cookie: cookie ?? '' } })).text()
        return ['Typed so far', 'What all see', 'Saved'].filter((text) => html.includes(text))
      }
      expect(await look('admin')).to.deep.equal(['Typed so far'])
      expect(await look('ed')).to.deep.equal(['What all see'])
      expect(await look('nobody')).to.deep.equal(['What all see'])
      // Of a save and an autosave within one second the autosave counts as the later one: dates are in seconds.
      await until(() => new Date().toISOString().slice(0, 19) > String(typed.modified_gmt))
      await update(id, { content: 'Saved' })
      expect(await look('admin')).to.deep.equal(['Saved'])
    })

    it('refuses what says nothing new, and who may not edit', async () => {
      const id = await create({ title: 'Same' })
      const outcome = (as: string) => site.outcome(`POST /wp/v2/posts/${id}/autosaves`, { title: 'Same' }, as)
      expect(await outcome(admin)).to.equal('400 rest_autosave_no_changes')
      expect(await outcome(author)).to.equal('403 rest_cannot_edit')
    })

    it('sanitizes the text of users without unfiltered_html', async () => {
      const id = await create({ title: 'Own' }, author)
      const typed = { content: '<p onclick=x()>t</p><script>x</script>' }
      const { item } = await site.ask(`POST /wp/v2/posts/${id}/autosaves`, typed, author)
      expect(toObject(item.content).raw).to.equal('<p>t</p>')
    })
  })
})
