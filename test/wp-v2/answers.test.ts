import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { type Gazette, openGazette, toObject } from './gazette.ts'

const IMAGE = join(import.meta.dirname, '../../docs/images/dashboard.png')

/** The answers that OpenAPI promises to clients, beside those that a site with content gives. */
describe('OpenAPI describes what wp/v2 answers', () => {
  let site: Gazette
  let admin: string
  let document: Readonly<Record<string, unknown>>
  before(async () => {
    site = await openGazette()
    admin = await site.signIn('admin', 'administrator')
    document = (await site.get('/host/v1/openapi.json')).item
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

  function answerOf(path: string, method = 'get'): unknown {
    const described = toObject(toObject(document.paths)[path])[method]
    if (described === undefined) return undefined
    const operation = toObject(described)
    const success = toObject(toObject(operation.responses)['2XX'])
    return toObject(toObject(success.content)['application/json']).schema
  }

  /** A schema of the document, with what it refers to. */
  function checker(schema: unknown): z.ZodType {
    const { schemas } = toObject(document.components)
    const whole = JSON.stringify({ ...toObject(schema), $defs: schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    )
    return z.fromJSONSchema(JSON.parse(whole))
  }

  function expectToFit(path: string, body: unknown): void {
    const { success, error } = checker(answerOf(path)).safeParse(body)
    expect(success, `${path}: ${error && z.prettifyError(error)}`).to.equal(true)
  }

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
    ...['search', 'block-types', 'themes', 'menus', 'menu-items', 'sidebars', 'widgets', 'templates'],
  ]
  for (const name of LISTS) {
    it(`${name}: the list, and one of it in both contexts`, async () => {
      const path = `/wp/v2/${name}`
      const list = await ask(`${path}?per_page=100`)
      expect(list).to.be.an('array')
      expectToFit(path, list)
      const [first] = Array.isArray(list) ? list : []
      const { id } = toObject(first ?? {})
      if (typeof id !== 'number' || name === 'search') return
      for (const context of ['view', 'edit']) expectToFit(`${path}/{id}`, await ask(`${path}/${id}?context=${context}`))
    })
  }

  for (const name of ['types', 'taxonomies', 'statuses', 'settings', 'menu-locations', 'users/me']) {
    it(name, async () => {
      const path = `/wp/v2/${name}`
      for (const context of ['view', 'edit']) expectToFit(path, await ask(`${path}?context=${context}`))
    })
  }

  it('the host: every answer that takes no parameter', async () => {
    const paths = Object.keys(toObject(document.paths)).filter((path) => /^\/host\/v1\/[^{]+$/.test(path))
    const described = paths.filter((path) => Object.keys(toObject(answerOf(path) ?? {})).length > 0)
    expect(described).to.include.members([
      '/host/v1/health',
      '/host/v1/roles',
      '/host/v1/extensions',
      '/host/v1/themes',
    ])
    for (const path of described) expectToFit(path, await ask(path))
    expectToFit('/wp/v2/users/{user_id}/application-passwords', await ask('/wp/v2/users/me/application-passwords'))
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
      const schema = answerOf(template, method)
      expect(toObject(schema)).to.have.property('properties')
      const { success, error } = checker(schema).safeParse(await answer.json())
      expect(success, `${path}: ${error && z.prettifyError(error)}`).to.equal(true)
    }
    expectToFit('/host/v1/import/upload/fetch', await ask('/host/v1/import/upload/fetch'))
  })

  it('the index and those of the namespaces', async () => {
    for (const path of ['/', '/wp/v2', '/host/v1']) expectToFit(path, await ask(path))
  })

  it('does not take what is none of it', () => {
    expect(checker(answerOf('/wp/v2/posts')).safeParse([{ id: 'one' }]).success).to.equal(false)
    expect(answerOf('/wp/v2/posts')).to.deep.equal({ type: 'array', items: { $ref: '#/components/schemas/Posts' } })
    expect(answerOf('/wp/v2/posts/{id}')).to.deep.equal({ $ref: '#/components/schemas/Posts' })
  })
})
