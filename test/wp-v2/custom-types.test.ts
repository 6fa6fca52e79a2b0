import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { toObject } from './gazette.ts'
import { openOwnSite, useOwnSite } from './own-site.ts'

const LIBRARY = `
import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'library', name: 'Library', version: '1.0.0',
  setup({ content }) {
    content.registerPostType({ name: 'book', label: 'Books', restBase: 'books' })
    content.registerTaxonomy({ name: 'genre', restBase: 'genres', types: ['book'] })
    const shown = { single: true, showInRest: true, objectSubtype: 'book' }
    content.registerMeta('post', 'pages', { ...shown, type: 'integer' })
    content.registerMeta('post', '_shelf', { ...shown, authCallback: (userId) => userId === 1 })
  },
})
`

onEachDatabase('types, taxonomies and meta that come at run time', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let editor: string
  let author: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    editor = await site.signIn('ed', 'editor')
    author = await site.signIn('aut', 'author')
  })

  const titles = ({ body }: { body: unknown }) =>
    Array.isArray(body) ? body.map((item) => toObject(toObject(item).title).rendered) : []

  it('a type has routes, capabilities and a page from the moment it is registered, and its posts outlive it', async () => {
    const { content, auth } = site.host
    expect(await site.outcome('GET /wp/v2/books')).to.equal('404 rest_no_route')
    const book = { name: 'book', label: 'Books', restBase: 'books', capabilityType: ['book', 'books'] as const }
    const undo = content.registerPostType(book)
    expect(await site.outcome('POST /wp/v2/books', { title: 'Dune' }, editor)).to.equal('403 rest_cannot_create')
    const undoCapabilities = auth.addCapabilities('editor', [
      ...['edit_books', 'publish_books', 'edit_published_books', 'delete_books', 'delete_published_books'],
    ])
    const { status, item } = await site.ask('POST /wp/v2/books', { title: 'Dune', status: 'publish' }, editor)
    expect([status, item.type, item.link]).to.deep.equal([201, 'book', `${site.url}/book/dune/`])
    expect(titles(await site.ask('GET /wp/v2/books'))).to.deep.equal(['Dune'])
    expect((await site.ask('GET /wp/v2/types/book')).item).to.include({ name: 'Books', rest_base: 'books' })
    expect((await fetch(`${site.url}/book/dune/`)).status).to.equal(200)
    expect(await site.outcome(`POST /wp/v2/books/${item.id}`, { title: 'Dune II' }, editor)).to.equal('200')
    expect(await site.outcome(`POST /wp/v2/books/${item.id}`, { title: 'x' }, author)).to.equal('403 rest_cannot_edit')

    undo()
    expect(await site.outcome('GET /wp/v2/books')).to.equal('404 rest_no_route')
    expect(await site.outcome(`GET /wp/v2/books/${item.id}/revisions`, undefined, admin)).to.equal('404 rest_no_route')
    expect(await site.outcome('GET /wp/v2/types/book')).to.equal('404 rest_type_invalid')
    expect((await fetch(`${site.url}/book/dune/`)).status).to.equal(404)

    const again = content.registerPostType(book)
    expect(titles(await site.ask('GET /wp/v2/books'))).to.deep.equal(['Dune II'])
    again()
    undoCapabilities()
  })

  it('a type that says only its name asks for what posts ask for', async () => {
    const undo = site.host.content.registerPostType({ name: 'note' })
    expect(await site.outcome('POST /wp/v2/note', { title: 'x', status: 'publish' }, author)).to.equal('201')
    expect(() => site.host.content.registerPostType({ name: 'No way' })).to.throw(/not a valid name/)
    undo()
  })

  it('a taxonomy gives the type that it is for a field and a filter, and takes them away with it', async () => {
    const { content } = site.host
    const undoType = content.registerPostType({ name: 'film', restBase: 'films' })
    const undo = content.registerTaxonomy({ name: 'genre', restBase: 'genres', types: ['film'] })
    const genre = Number((await site.ask('POST /wp/v2/genres', { name: 'Noir' }, admin)).item.id)
    const film = (title: string, more: object) =>
      site.ask('POST /wp/v2/films', { title, status: 'publish', ...more }, admin)
    const { item } = await film('Laura', { genres: [genre] })
    await film('Other', {})
    expect(item.genres).to.deep.equal([genre])
    expect(titles(await site.ask(`GET /wp/v2/films?genres=${genre}`))).to.deep.equal(['Laura'])
    undo()
    expect(await site.outcome('GET /wp/v2/genres')).to.equal('404 rest_no_route')
    expect((await site.ask(`GET /wp/v2/films/${item.id}`)).item).to.not.have.property('genres')
    undoType()
  })

  it('a type with an archive has a list, pages of it, a feed and templates of its own, which go with it', async () => {
    const { content, config } = site.host
    const folder = join(config.siteDir, 'themes/default')
    mkdirSync(folder, { recursive: true })
    const terms = '<%= it.post.terms.mood.map((term) => [term.name, term.url]) %>'
    for (const [name, text] of [
      ['archive-poem', '<i><%= it.heading %>: <%= it.posts.map((post) => post.title).join() %></i>'],
      ['single-poem', `<i>One: ${terms}</i>`],
      ['single-verse', '<i>Verse <%= it.post.title %></i>'],
    ]) {
      writeFileSync(join(folder, `${name}.eta`), `<% layout('layout') %>${text}`)
    }
    const page = async (path: string) => {
      const response = await fetch(`${site.url}${path}`, { redirect: 'manual' })
      const text = await response.text()
      const shown = /<i>(.*)<\/i>/.exec(text)?.[1] ?? response.headers.get('location')
      return { status: response.status, shown, text }
    }
    const undo = [
      content.registerPostType({ name: 'poem', label: 'Poems', hasArchive: true, supports: ['title', 'editor'] }),
      content.registerPostType({ name: 'verse', hierarchical: true }),
      content.registerTaxonomy({ name: 'mood', types: ['poem'] }),
    ]
    const { id } = await content.terms.insert('mood', { name: 'Glad' })
    for (const title of ['Ode', 'Elegy', 'Hymn']) {
      const date = `2020-01-0${title.length}T00:00:00`
      await content.posts.insert({ type: 'poem', title, status: 'publish', date, terms: { mood: [id] } })
    }
    await content.posts.insert({ type: 'poem', title: 'Unfinished', status: 'draft' })
    await content.posts.insert({ type: 'verse', title: 'First', status: 'publish' })

    expect((await site.ask('GET /wp/v2/types/poem?context=edit', undefined, admin)).item.has_archive).to.equal(true)
    const archive = await page('/poem/')
    expect([archive.status, archive.shown]).to.deep.equal([200, 'Poems: Elegy,Hymn,Ode'])
    expect(archive.text).to.contain('post-type-archive-poem').and.to.contain(`${site.url}/poem/feed/`)
    const feed = await page('/poem/feed/')
    expect(feed.text.match(/<item>/g)).to.have.length(3)
    expect(await page('/poem/page/2/')).to.include({ status: 404 })
    expect(await page('/?post_type=poem')).to.include({ status: 301, shown: '/poem/' })
    expect(await page('/poem')).to.include({ status: 301, shown: '/poem/' })
    expect((await page('/poem/ode/')).shown).to.equal('One: Glad,/mood/glad/')
    expect((await page('/verse/first/')).shown).to.equal('Verse First')
    expect(await page('/verse/')).to.include({ status: 404 })

    for (const one of undo) one()
    for (const path of ['/poem/', '/poem/feed/', '/poem/ode/', '/verse/first/', '/mood/glad/']) {
      expect((await page(path)).status, path).to.equal(404)
    }
  })

  it('the newer of two registrations counts, and no request meets none while an extension reloads', async () => {
    const { content } = site.host
    const old = content.registerPostType({ name: 'song', label: 'Old' })
    const asking = Promise.all(Array.from({ length: 20 }, () => site.outcome('GET /wp/v2/song')))
    const next = content.registerPostType({ name: 'song', label: 'New' })
    old()
    expect(new Set(await asking)).to.deep.equal(new Set(['200']))
    expect((await site.ask('GET /wp/v2/types/song')).item.name).to.equal('New')
    next()
    expect(await site.outcome('GET /wp/v2/song')).to.equal('404 rest_no_route')
  })

  describe('meta', () => {
    const undo: (() => void)[] = []
    before(() => {
      const { content } = site.host
      const shown = { showInRest: true, single: true, objectSubtype: 'post' }
      undo.push(
        content.registerMeta('post', 'rating', { ...shown, type: 'integer', default: 3 }),
        content.registerMeta('post', 'colors', { showInRest: true, objectSubtype: 'post' }),
        content.registerMeta('post', 'size', { ...shown, schema: z.object({ w: z.int(), h: z.int() }) }),
        content.registerMeta('post', 'internal', { single: true }),
        content.registerMeta('post', '_hidden', { ...shown }),
        content.registerMeta('post', '_open', { ...shown, authCallback: (userId) => userId > 0 }),
        content.registerMeta('post', 'closed', { ...shown, authCallback: () => false }),
      )
    })
    after(() => {
      for (const one of undo) one()
    })
    const meta = { rating: 5, colors: ['red', 'blue'], size: { w: 1, h: 2 }, _open: 'yes' }
    const create = async (post: object) => (await site.ask('POST /wp/v2/posts', { title: 'M', ...post }, admin)).item

    it('is shown with its defaults', async () => {
      expect((await create({})).meta).to.deep.equal({
        ...{ rating: 3, colors: [], size: null, _hidden: '', _open: '', closed: '' },
      })
    })

    it('is stored for users with permission, and null deletes it', async () => {
      const { id } = await create({ meta })
      const read = async () =>
        toObject((await site.ask(`GET /wp/v2/posts/${id}?context=edit`, undefined, admin)).item.meta)
      expect(await read()).to.deep.include(meta)
      expect(await site.host.content.meta.get('post', Number(id), 'rating')).to.equal(5)
      await site.ask(`POST /wp/v2/posts/${id}`, { meta: { rating: null, colors: ['green'] } }, admin)
      expect(await read()).to.deep.include({ rating: 3, colors: ['green'], _open: 'yes' })
    })

    it('keeps to itself what is not declared, not shown, or protected', async () => {
      const { id } = await create({ meta: { unknown: 'x', internal: 'x' } })
      const { content } = site.host
      expect(await content.meta.get('post', Number(id), 'unknown')).to.equal(undefined)
      expect(await content.meta.get('post', Number(id), 'internal')).to.equal(undefined)
      await content.meta.set('post', Number(id), '_secret', 'x')
      const shown = (await site.ask(`GET /wp/v2/posts/${id}`, undefined, admin)).item.meta
      expect(shown).to.not.have.any.keys('internal', '_secret', 'unknown')
      const outcome = (value: object) => site.outcome(`POST /wp/v2/posts/${id}`, { meta: value }, admin)
      expect(await outcome({ _hidden: 'x' })).to.equal('403 rest_cannot_update')
      expect(await outcome({ closed: 'x' })).to.equal('403 rest_cannot_update')
      expect(await site.outcome('POST /wp/v2/posts', { title: 'x', meta: { _hidden: 'x' } }, admin)).to.equal(
        '403 rest_cannot_update',
      )
    })

    it('filters a list where an extension says so, alone and among several values', async () => {
      const { hooks, content } = site.host
      const undo = hooks.addFilter('rest_post_query', (query, { query: asked }) => {
        const [rating, color] = [asked.get('rating'), asked.get('color')]
        return { ...query, meta: { ...(rating && { rating: Number(rating) }), ...(color && { colors: color }) } }
      })
      const one = (title: string, rating: number, ...colors: string[]) =>
        create({ title, status: 'publish', meta: { rating, colors } })
      await one('first', 41, 'teal', 'plum')
      await one('second', 41, 'plum')
      await one('third', 42, 'plum')
      const listed = async (asked: string) => titles(await site.ask(`GET /wp/v2/posts?orderby=id&order=asc&${asked}`))
      expect(await listed('rating=41')).to.deep.equal(['first', 'second'])
      expect(await listed('color=plum')).to.deep.equal(['first', 'second', 'third'])
      expect(await listed('rating=41&color=teal')).to.deep.equal(['first'])
      expect(await listed("color=x' or '1")).to.deep.equal([])
      undo()
      const { total } = await content.posts.query({ meta: { rating: 42, colors: 'plum' } })
      expect(total).to.equal(1)
    })

    it('is checked, with numbers in text taken as numbers', async () => {
      const outcome = (value: object) => site.outcome('POST /wp/v2/posts', { title: 'x', meta: value }, admin)
      expect(await outcome({ rating: 'five' })).to.equal('400 rest_invalid_param')
      expect(await outcome({ colors: 'red' })).to.equal('400 rest_invalid_param')
      expect(await outcome({ size: { w: 'x', h: 1 } })).to.equal('400 rest_invalid_param')
      expect(toObject((await create({ meta: { rating: '4' } })).meta).rating).to.equal(4)
    })

    it('is not there for another type, and goes with its registration', async () => {
      const { item } = await site.ask('POST /wp/v2/pages', { title: 'x' }, admin)
      expect(item.meta).to.deep.equal([])
      const { id } = await create({ meta })
      const one = site.host.content.registerMeta('post', 'later', { showInRest: true })
      one()
      expect((await site.ask(`GET /wp/v2/posts/${id}`, undefined, admin)).item.meta).to.not.have.property('later')
    })
  })
})

describe('an extension that brings a type, a taxonomy and meta', () => {
  it('removes all of it when it is deactivated, and finds its posts again when it is activated', async () => {
    const site = await openOwnSite()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'library.ts'), LIBRARY)
    try {
      const admin = await site.signIn('admin', 'administrator')
      const { extensions } = site.host
      const id = await extensions.add(join(folder, 'library.ts'))
      await extensions.activate(id)
      const genre = (await site.ask('POST /wp/v2/genres', { name: 'Noir' }, admin)).item.id
      const book = { title: 'Laura', status: 'publish', genres: [genre], meta: { pages: 237, _shelf: 'B' } }
      const { status, item } = await site.ask('POST /wp/v2/books', book, admin)
      expect([status, item.genres, item.meta]).to.deep.equal([201, [genre], { pages: 237, _shelf: 'B' }])
      await extensions.reload(id)
      expect((await site.ask(`GET /wp/v2/books/${item.id}`)).item.meta).to.deep.equal(item.meta)

      await extensions.deactivate(id)
      for (const path of [`books/${item.id}`, `books/${item.id}/revisions`, 'genres', 'books']) {
        expect(await site.outcome(`GET /wp/v2/${path}`, undefined, admin), path).to.equal('404 rest_no_route')
      }
      expect((await fetch(`${site.url}/book/laura/`)).status).to.equal(404)
      expect(site.host.content.metaFields('post', 'book').size).to.equal(0)
      expect(
        await site.host.auth.can((await site.host.auth.users.get(1)) ?? null, 'edit_book', Number(item.id)),
      ).to.equal(false)

      await extensions.activate(id)
      const again = (await site.ask(`GET /wp/v2/books/${item.id}?context=edit`, undefined, admin)).item
      expect([again.genres, again.meta]).to.deep.equal([[genre], { pages: 237, _shelf: 'B' }])
      expect((await fetch(`${site.url}/book/laura/`)).status).to.equal(200)
    } finally {
      await site.close()
    }
  })
})
