import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('writing wp/v2 terms', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
  })

  const create = async (kind: string, term: object) => (await site.ask(`POST /wp/v2/${kind}`, term, admin)).item

  describe('POST /wp/v2/categories', () => {
    it('answers 201 with the address of the new one', async () => {
      const { status, headers, item } = await site.ask('POST /wp/v2/categories', { name: 'Travel' }, admin)
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/categories/${item.id}`)
      expect(item).to.include({ name: 'Travel', slug: 'travel', count: 0, parent: 0, taxonomy: 'category' })
      expect(item.link).to.equal(`${site.url}/category/travel/`)
    })

    it('refuses a second one of that name below the same parent, and names the first', async () => {
      const first = await create('categories', { name: 'Food' })
      const { status, item } = await site.ask('POST /wp/v2/categories', { name: 'Food' }, admin)
      expect(status).to.equal(400)
      expect(item).to.deep.include({ code: 'term_exists', data: { status: 400, term_id: first.id } })
      expect(await site.outcome('POST /wp/v2/categories', { name: 'food', slug: 'food' }, admin)).to.equal(
        '400 term_exists',
      )
      await create('tags', { name: 'Über' })
      expect(await site.outcome('POST /wp/v2/tags', { name: 'ÜBER' }, admin)).to.equal('400 term_exists')
      expect(await site.outcome('POST /wp/v2/categories', { name: 'Food', parent: first.id }, admin)).to.equal('201')
      expect(await site.outcome('POST /wp/v2/categories', { name: 'Food', slug: 'other-food' }, admin)).to.equal('201')
    })

    it('makes one of several that come at once under one name', async () => {
      const names = Array.from({ length: 8 }, () => ({ name: 'Sudden' }))
      const outcomes = await Promise.all(names.map((body) => site.outcome('POST /wp/v2/tags', body, admin)))
      expect(outcomes.toSorted()).to.deep.equal(['201', ...Array(7).fill('400 term_exists')])
    })

    it('refuses a missing name, an empty one and a parent that is not there', async () => {
      const outcome = (body: object) => site.outcome('POST /wp/v2/categories', body, admin)
      expect(await outcome({})).to.equal('400 rest_missing_callback_param')
      expect(await outcome({ name: '   ' })).to.equal('400 empty_term_name')
      expect(await outcome({ name: 'Lost', parent: 99_999 })).to.equal('400 rest_term_invalid')
      expect(await outcome({ name: 'Lost', parent: 2 ** 31 })).to.equal('400 rest_invalid_param')
    })

    it('keeps markup out of names and scripts out of descriptions', async () => {
      const item = await create('categories', {
        name: 'R&B <script>alert(1)</script>',
        description: '<b>Loud</b><img src=x onerror=alert(1)>',
      })
      expect(item).to.include({ name: 'R&amp;B', description: '<b>Loud</b>' })
    })
  })

  it('changes what was sent and nothing else', async () => {
    const { id } = await create('tags', { name: 'trains', description: 'On rails' })
    const { status, item } = await site.ask(`PUT /wp/v2/tags/${id}`, { name: 'Railways' }, admin)
    expect(status).to.equal(200)
    expect(item).to.include({ name: 'Railways', slug: 'trains', description: 'On rails' })
  })

  it('refuses the slug of another term', async () => {
    await create('tags', { name: 'one' })
    const { id } = await create('tags', { name: 'two' })
    expect(await site.outcome(`POST /wp/v2/tags/${id}`, { slug: 'one' }, admin)).to.equal('400 duplicate_term_slug')
    expect(await site.outcome(`POST /wp/v2/tags/${id}`, { slug: 'two' }, admin)).to.equal('200')
  })

  it('never lets a circle of parents come into being', async () => {
    const top = await create('categories', { name: 'Top' })
    const below = await create('categories', { name: 'Below', parent: top.id })
    const { item } = await site.ask(`POST /wp/v2/categories/${top.id}`, { parent: below.id }, admin)
    expect(item.parent).to.equal(0)
    expect((await site.ask(`POST /wp/v2/categories/${top.id}`, { parent: top.id }, admin)).item.parent).to.equal(0)
  })

  it('gives a flat taxonomy no parents', async () => {
    expect(await site.outcome('POST /wp/v2/tags', { name: 'x', parent: 1 }, admin)).to.equal(
      '400 rest_taxonomy_not_hierarchical',
    )
  })

  describe('DELETE', () => {
    it('needs force', async () => {
      const { id } = await create('tags', { name: 'gone' })
      expect(await site.outcome(`DELETE /wp/v2/tags/${id}`, undefined, admin)).to.equal('501 rest_trash_not_supported')
      const { status, item } = await site.ask(`DELETE /wp/v2/tags/${id}?force=true`, undefined, admin)
      expect([status, item.deleted, toObject(item.previous).name]).to.deep.equal([200, true, 'gone'])
      expect(await site.outcome(`DELETE /wp/v2/tags/${id}?force=true`, undefined, admin)).to.equal(
        '404 rest_term_invalid',
      )
    })

    it('gives posts without a category the default one, and updates the counts', async () => {
      const { posts, terms } = site.host.content
      const fallback = site.host.content.siteSettings().defaultCategory
      const before = (await terms.get(fallback))?.count ?? 0
      const { id } = await create('categories', { name: 'Short-lived' })
      const post = await posts.insert({ status: 'publish', title: 'x', terms: { category: [Number(id)] } })
      expect((await site.ask(`GET /wp/v2/categories/${id}`)).item.count).to.equal(1)
      await site.ask(`DELETE /wp/v2/categories/${id}?force=true`, undefined, admin)
      expect((await terms.ofPosts([post.id])).get(post.id)).to.deep.equal({ category: [fallback] })
      expect((await terms.get(fallback))?.count).to.equal(before + 1)
    })

    it('never deletes the default category', async () => {
      const { defaultCategory } = site.host.content.siteSettings()
      expect(await site.outcome(`DELETE /wp/v2/categories/${defaultCategory}?force=true`, undefined, admin)).to.equal(
        '403 rest_cannot_delete',
      )
    })
  })

  it('fires the hooks of WordPress, those of the taxonomy too', async () => {
    const { hooks } = site.host
    const seen: string[] = []
    const names = ['created_category', 'edited_category', 'delete_category', 'saved_category'] as const
    const undo = [
      ...names.map((name) => hooks.addAction(name, () => void seen.push(name))),
      hooks.addAction('pre_delete_term', (_id, taxonomy) => void seen.push(`pre_delete_term ${taxonomy}`)),
      hooks.addAction('rest_insert_category', (_term, _request, isNew) => void seen.push(`rest_insert ${isNew}`)),
      hooks.addFilter('rest_pre_insert_category', (prepared) => ({ ...prepared, description: 'Filtered' })),
    ]
    const { id, description } = await create('categories', { name: 'Hooked' })
    await site.ask(`POST /wp/v2/categories/${id}`, { name: 'Hooked again' }, admin)
    await site.ask(`DELETE /wp/v2/categories/${id}?force=1`, undefined, admin)
    for (const one of undo) one()
    expect(description).to.equal('Filtered')
    expect(seen).to.deep.equal([
      ...['created_category', 'saved_category', 'rest_insert true'],
      ...['edited_category', 'saved_category', 'rest_insert false'],
      ...['pre_delete_term category', 'delete_category'],
    ])
  })

  it('a taxonomy of an extension has routes and archives, and they go with the extension', async () => {
    const folder = join(site.host.config.siteDir, 'extensions', 'genres')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.ts'),
      `import { defineExtension } from 'pentad'
      export default defineExtension({ id: 'genres', name: 'Genres', version: '1.0.0', setup({ content }) {
        content.registerTaxonomy({ name: 'mood', label: 'Moods', restBase: 'moods', types: ['post'], rewriteSlug: 'mood' })
      } })`,
    )
    const { content } = site.host
    expect(await site.outcome('GET /wp/v2/moods')).to.equal('404 rest_no_route')
    await site.ask('PUT /wp/v2/plugins/genres', { status: 'active' }, admin)
    const { id } = await create('moods', { name: 'Gloomy' })
    await content.posts.insert({ status: 'publish', title: 'Rain', terms: { mood: [Number(id)] } })
    await site.host.extensions.reload('genres')
    expect((await site.ask(`GET /wp/v2/moods/${id}`)).item).to.include({ name: 'Gloomy', count: 1 })
    expect(await (await fetch(`${site.url}/mood/gloomy/`)).text()).to.contain('Rain')
    await site.ask('PUT /wp/v2/plugins/genres', { status: 'inactive' }, admin)
    expect(await site.outcome(`GET /wp/v2/moods/${id}`)).to.equal('404 rest_no_route')
    expect((await fetch(`${site.url}/mood/gloomy/`)).status).to.equal(404)
    expect((await content.terms.get(Number(id)))?.name).to.equal('Gloomy')
  })

  it('a taxonomy registered while the site runs has routes, and they go with it; its terms stay', async () => {
    const { content } = site.host
    const genre = {
      ...{ name: 'genre', label: 'Genres', singularLabel: 'Genre', hierarchical: false, public: true },
      ...{ restBase: 'genres', types: ['post'], rewriteSlug: 'genre', description: '' },
    }
    const undo = content.registerTaxonomy(genre)
    const { status, item } = await site.ask('POST /wp/v2/genres', { name: 'Noir' }, admin)
    expect([status, item.link]).to.deep.equal([201, `${site.url}/genre/noir/`])
    expect((await site.ask('GET /wp/v2/taxonomies/genre')).item.rest_base).to.equal('genres')
    undo()
    expect(await site.outcome('GET /wp/v2/genres')).to.equal('404 rest_no_route')
    expect(await site.outcome('POST /wp/v2/genres', { name: 'Epic' }, admin)).to.equal('404 rest_no_route')
    const again = content.registerTaxonomy(genre)
    expect((await site.ask('GET /wp/v2/genres')).body).to.have.length(1)
    again()
  })
})
