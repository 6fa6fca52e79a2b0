import { expect } from 'chai'
import { seedContent } from '../../cms/content/index.ts'
import type { NewPostType } from '../../cms/content/types.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type OpenContent, openContent } from './open-content.ts'

onEachDatabase('createContent', (databaseUrl) => {
  let site: OpenContent
  before(async () => {
    site = await openContent(await databaseUrl())
  })
  after(() => site.close())

  describe('meta', () => {
    it('keeps several values of a key in order, of any JSON', async () => {
      const { meta, posts } = site.content
      const { id } = await posts.insert({ title: 'm', meta: { list: [1, 'two', { three: [3] }], __proto__x: [null] } })
      await meta.set('post', id, 'nul', 'a\0b')
      expect((await meta.of('post', [id])).get(id)).to.deep.equal({
        list: [1, 'two', { three: [3] }],
        __proto__x: [null],
        nul: ['a\0b'],
      })
      await meta.set('post', id, 'list', 'one')
      expect(await meta.get('post', id, 'list')).to.equal('one')
      await meta.delete('post', id, 'list')
      expect(await meta.get('post', id, 'list')).to.equal(undefined)
    })

    it('is rejected for posts that were deleted meanwhile', async () => {
      for (const kind of ['post', 'user', 'term', 'comment'] as const) {
        const failing = site.content.meta.set(kind, 999_999, 'key', 'value')
        const code = await failing.then(String, (error: { code: string }) => error.code)
        expect(code, kind).to.equal('rest_invalid_id')
      }
    })

    it('treats hostile keys as keys', async () => {
      const { meta, posts } = site.content
      const { id } = await posts.insert({ title: 'm' })
      for (const key of ['__proto__', 'constructor', "'; --", '\0']) await meta.set('post', id, key, 'x')
      const all = (await meta.of('post', [id])).get(id) ?? {}
      expect(Object.keys(all)).to.have.members(['__proto__', 'constructor', "'; --", ''])
      expect(Object.getPrototypeOf(all)).to.equal(Object.prototype)
    })

    it('fires its hooks', async () => {
      const seen: unknown[] = []
      const undo = [
        site.hooks.addAction('added_post_meta', (_metaId, id, key, value) => void seen.push([id, key, value])),
        site.hooks.addAction('updated_post_meta', (_metaId, id, key, value) => void seen.push([id, key, 'now', value])),
        site.hooks.addAction('deleted_post_meta', (metaIds, id, key) => void seen.push([metaIds.length, id, key])),
      ]
      const { id } = await site.content.posts.insert({ title: 'm' })
      await site.content.meta.set('post', id, 'k', 1, 2)
      await site.content.meta.set('post', id, 'k', 1, 3)
      await site.content.meta.delete('post', id, 'k')
      await site.content.meta.delete('post', id, 'k')
      for (const remove of undo) remove()
      expect(seen).to.deep.equal([
        [id, 'k', 1],
        [id, 'k', 2],
        [id, 'k', 'now', 3],
        [2, id, 'k'],
      ])
    })
  })

  describe('comments', () => {
    it('are counted when they are approved, and go with their post', async () => {
      const { comments, posts } = site.content
      const { id } = await posts.insert({ title: 'c', status: 'publish' })
      const comment = {
        ...{ postId: id, parentId: 0, userId: 0, authorName: 'Ann', authorEmail: '', authorUrl: '', authorAddress: '' },
        ...{ userAgent: '', content: 'Hi', type: 'comment', date: '2026-02-01T10:00:00', dateGmt: '' },
      }
      const later = await comments.insert({
        ...comment,
        status: 'approved',
        date: '2026-02-02T10:00:00',
        meta: { k: ['v'] },
      })
      const first = await comments.insert({ ...comment, status: 'approved' })
      await comments.insert({ ...comment, status: 'hold' })
      expect((await comments.ofPost(id)).map((one) => one.id)).to.deep.equal([first.id, later.id])
      expect(await comments.allOfPost(id)).to.have.length(3)
      expect(first.dateGmt).to.equal('2026-02-01T10:00:00')
      expect((await posts.get(id))?.commentCount).to.equal(2)
      expect(await site.content.meta.get('comment', later.id, 'k')).to.equal('v')
      await posts.delete(id)
      expect(await comments.get(first.id)).to.equal(undefined)
    })
  })

  describe('media', () => {
    it('knows the sizes of many attachments', async () => {
      const { media, posts } = site.content
      const image = await posts.insert({
        ...{ type: 'attachment', status: 'inherit', title: 'Map', mimeType: 'image/png' },
        meta: {
          _wp_attached_file: ['2026/01/my map.png'],
          _wp_attachment_image_alt: ['A map'],
          _wp_attachment_metadata: [
            {
              width: 1600,
              height: '900',
              file: '2026/01/my map.png',
              sizes: { medium: { file: '../x/m.png', width: 300, height: 169, 'mime-type': 'image/png' } },
            },
          ],
        },
      })
      const bare = await posts.insert({
        type: 'attachment',
        status: 'inherit',
        title: 'Bare',
        guid: 'http://a.b/c.pdf',
        mimeType: 'application/pdf',
      })
      const details = await media.details([image, bare])
      const map = details.get(image.id)
      expect([map?.alt, map?.width, map?.height]).to.deep.equal(['A map', 1600, 900])
      expect(map?.url).to.equal('http://127.0.0.1:8080/wp-content/uploads/2026/01/my%20map.png')
      expect(map?.sizes.medium?.url).to.equal('http://127.0.0.1:8080/wp-content/uploads/2026/01/m.png')
      expect(map?.sizes.full?.width).to.equal(1600)
      expect(details.get(bare.id)).to.deep.include({ url: 'http://a.b/c.pdf', width: 0, sizes: {} })
    })
  })

  describe('types', () => {
    it('come and go, and a reload’s old version does not take the new one along', async () => {
      const { content } = site
      const book: NewPostType = {
        ...{
          name: 'book',
          label: 'Books',
          singularLabel: 'Book',
          hierarchical: false,
          public: true,
          hasArchive: false,
          restBase: 'books',
        },
        ...{ taxonomies: [], supports: ['title'], capabilityType: ['post', 'posts'], description: '' },
      }
      const undoOld = content.registerPostType(book)
      const post = await content.posts.insert({ type: 'book', status: 'publish', title: 'Dune' })
      expect(post.path).to.equal('/book/dune/')
      const undoNew = content.registerPostType({ ...book, label: 'All books' })
      undoOld()
      expect(content.postTypes().get('book')?.label).to.equal('All books')
      undoNew()
      undoNew()
      expect(content.postTypes().has('book')).to.equal(false)
      expect((await content.posts.get(post.id))?.path).to.equal('')
      expect([...content.postTypes().keys()]).to.deep.equal([
        ...['post', 'page', 'attachment', 'revision', 'nav_menu_item', 'wp_block', 'wp_navigation'],
        ...['wp_template', 'wp_template_part'],
      ])
      expect([...content.taxonomies().keys()]).to.deep.equal([
        ...['category', 'post_tag', 'post_format', 'nav_menu', 'wp_pattern_category'],
      ])
    })
  })

  describe('site settings', () => {
    it('are merged, checked, and kept', async () => {
      const { content } = site
      expect(content.siteSettings()).to.deep.include({
        title: 'My Pentad site',
        dateFormat: 'F j, Y',
        postsPerPage: 10,
      })
      expect(content.siteSettings().adminEmail).to.equal('admin@example.org')
      const refused = await content
        .updateSiteSettings({ title: 'New', timezone: 'Mars/Phobos', postsPerPage: 0 })
        .catch((error: { code: string; data: { params: object } }) => error)
      expect(refused).to.have.property('code', 'rest_invalid_param')
      expect(refused).to.have.nested.property('data.params').with.keys('timezone', 'postsPerPage')
      expect(content.siteSettings().title).to.equal('My Pentad site')
      await content.updateSiteSettings({ title: 'New', timezone: 'Asia/Tbilisi' })
      expect(content.siteSettings()).to.deep.include({ title: 'New', timezone: 'Asia/Tbilisi', postsPerPage: 10 })
      await site.options.update('site_settings', { title: 'Kept', postsPerPage: 'many' })
      expect(content.siteSettings()).to.deep.include({ title: 'Kept', postsPerPage: 10, timezone: '' })
    })
  })
})

onEachDatabase('seedContent', (databaseUrl) => {
  it('greets a new site once, and never a used one', async () => {
    const site = await openContent(await databaseUrl())
    const log = createLog('silent')
    await seedContent({ ...site, authorId: 1, log })
    await seedContent({ ...site, authorId: 1, log })
    const { posts, terms } = site.content
    const { items } = await posts.query({ types: ['post', 'page'], orderBy: 'id', order: 'asc' })
    expect(items.map(({ title, path }) => [title, path])).to.deep.equal([
      ['Hello world!', '/hello-world/'],
      ['Sample Page', '/sample-page/'],
    ])
    const category = await terms.getBySlug('category', 'uncategorized')
    expect([category?.count, category?.id]).to.deep.equal([1, site.content.siteSettings().defaultCategory])
    for (const { id } of items) await posts.delete(id)
    await seedContent({ ...site, authorId: 1, log })
    expect((await posts.query({ types: ['post', 'page'] })).total).to.equal(0)
    await site.close()
  })
})
