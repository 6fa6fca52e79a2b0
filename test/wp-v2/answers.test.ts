import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type DescribedAnswers, describedAnswers } from '../support/described-answers.ts'
import { type Gazette, openGazette, toObject } from './gazette.ts'

const IMAGE = join(import.meta.dirname, '../../docs/images/dashboard.png')

/** The answers that OpenAPI promises to clients, beside those that a site with content gives. */
describe('OpenAPI describes what wp/v2 answers', () => {
  let site: Gazette
  let admin: string
  let answers: DescribedAnswers
  before(async () => {
    site = await openGazette()
    admin = await site.signIn('admin', 'administrator')
    answers = describedAnswers((await site.get('/host/v1/openapi.json')).item)
    await fetch(`${site.url}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: {
        authorization: admin,
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="a.png"',
      },
      body: readFileSync(IMAGE),
    })
    await fetch(`${site.url}/wp-json/wp/v2/blocks`, {
      method: 'POST',
      headers: { authorization: admin, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Pattern', content: '<p>x</p>', status: 'publish' }),
    })
  })
  after(() => site.close())

  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${site.url}/wp-json${path}`, { headers: { authorization: admin } })).json()

  const LISTS = [
    ...[
      'posts',
      'pages',
      'media',
      'blocks',
      'navigation',
      'categories',
      'tags',
      'wp_pattern_category',
      'users',
      'comments',
    ],
    ...['search', 'block-types', 'themes', 'menus', 'menu-items', 'sidebars', 'widgets', 'templates', 'plugins'],
  ]
  for (const name of LISTS) {
    it(`${name}: the list, and one of it in both contexts`, async () => {
      const path = `/wp/v2/${name}`
      const list = await ask(`${path}?per_page=100`)
      expect(list).to.be.an('array')
      answers.expectToFit(path, list)
      const [first] = Array.isArray(list) ? list : []
      const { id } = toObject(first ?? {})
      if (typeof id !== 'number' || name === 'search') return
      for (const context of ['view', 'edit'])
        answers.expectToFit(`${path}/{id}`, await ask(`${path}/${id}?context=${context}`))
    })
  }

  for (const name of ['types', 'taxonomies', 'statuses', 'settings', 'menu-locations', 'users/me']) {
    it(name, async () => {
      const path = `/wp/v2/${name}`
      for (const context of ['view', 'edit']) answers.expectToFit(path, await ask(`${path}?context=${context}`))
    })
  }

  it('the host: every answer that takes no parameter', async () => {
    // A search for packages asks the registry, which may have none; the others require parameters.
    const left = ['/host/v1/extensions/search', '/host/v1/oauth/consent', '/host/v1/privacy/requests']
    const paths = answers.operations
      .map(([, path]) => path)
      .filter((path) => /^\/host\/v1\/[^{]+$/.test(path) && !left.includes(path))
    const described = paths.filter((path) => Object.keys(toObject(answers.schemaOf(path) ?? {})).length > 0)
    expect(described).to.include.members([
      '/host/v1/health',
      '/host/v1/roles',
      '/host/v1/extensions',
      '/host/v1/themes',
    ])
    for (const path of described) answers.expectToFit(path, await ask(path))
    answers.expectToFit(
      '/wp/v2/users/{user_id}/application-passwords',
      await ask('/wp/v2/users/me/application-passwords'),
    )
  })

  it('changed settings, and an upload that begins', async () => {
    for (const [method, path, template, body] of [
      ['put', '/host/v1/settings/host', '/host/v1/settings/{extension}', { settings: { theme: 'default', x: 1 } }],
      ['post', '/host/v1/import/upload/init', '/host/v1/import/upload/init', { fileName: 'a.xml', size: 10 }],
    ] as const) {
      const headers = { authorization: admin, 'content-type': 'application/json' }
      const options = { method: method.toUpperCase(), headers, body: JSON.stringify(body) }
      const answer = await fetch(`${site.url}/wp-json${path}`, options)
      expect(answer.ok, path).to.equal(true)
      answers.expectToFit(template, await answer.json(), method)
    }
    answers.expectToFit('/host/v1/import/upload/fetch', await ask('/host/v1/import/upload/fetch'))
  })

  it('what another site shows of a post, as JSON and as XML', async () => {
    const [post] = (await site.get('/wp/v2/posts?per_page=1')).items
    const url = encodeURIComponent(String(post?.link))
    answers.expectToFit('/oembed/1.0/embed', await ask(`/oembed/1.0/embed?url=${url}`))
    answers.expectToFit('/oembed/1.0/proxy', await ask(`/oembed/1.0/proxy?url=${url}`))
    const xml = await fetch(`${site.url}/wp-json/oembed/1.0/embed?format=xml&url=${url}`)
    expect(answers.contentOf('/oembed/1.0/embed')).to.have.property(
      xml.headers.get('content-type')?.split(';')[0] ?? '',
    )
  })

  it('a batch, and one of which nothing is run', async () => {
    const good = { path: '/wp/v2/tags', body: { name: 'Tag' } }
    for (const requests of [
      [good],
      [
        { ...good, body: { name: 'Other' } },
        { path: '/wp/v2/tags', body: {} },
      ],
    ]) {
      const answer = await fetch(`${site.url}/wp-json/batch/v1`, {
        method: 'POST',
        headers: { authorization: admin, 'content-type': 'application/json' },
        body: JSON.stringify({ validation: 'require-all-validate', requests }),
      })
      expect(answer.status).to.equal(207)
      answers.expectToFit('/batch/v1', await answer.json(), 'post')
    }
  })

  it('an export, which is no JSON', async () => {
    const answer = await fetch(`${site.url}/wp-json/host/v1/export`, { headers: { authorization: admin } })
    await answer.body?.cancel()
    const { 'content-type': type = '' } = Object.fromEntries(answer.headers)
    expect(Object.keys(answers.contentOf('/host/v1/export') ?? {})).to.deep.equal([type.split(';')[0]])
  })

  it('the index and those of the namespaces', async () => {
    for (const path of ['/', '/wp/v2', '/host/v1']) answers.expectToFit(path, await ask(path))
  })

  it('rejects unknown members', () => {
    expect(answers.checker(answers.schemaOf('/wp/v2/posts')).safeParse([{ id: 'one' }]).success).to.equal(false)
    expect(answers.schemaOf('/wp/v2/posts')).to.deep.equal({
      type: 'array',
      items: { $ref: '#/components/schemas/Posts' },
    })
    expect(answers.schemaOf('/wp/v2/posts/{id}')).to.deep.equal({ $ref: '#/components/schemas/Posts' })
  })
})
