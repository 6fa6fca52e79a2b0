import { expect } from 'chai'
import { createTestHost, type TestHost, type TestRequest } from 'pentad/testing'
import { z } from 'zod'

const listed = z.array(
  z.looseObject({ name: z.string(), category: z.string(), meta: z.object({ annotations: z.looseObject({}) }) }),
)

const refusal = z.object({ code: z.string() })
const post = z.object({ id: z.int(), status: z.string() })

describe('wp-abilities/v1', () => {
  let site: TestHost
  const BASE = '/wp-json/wp-abilities/v1'

  async function ask(path: string, request: TestRequest = {}) {
    const answer = await site.request(BASE + path, request)
    const body: unknown = await answer.json()
    return { status: answer.status, headers: answer.headers, body, code: refusal.safeParse(body).data?.code }
  }
  const list = async (as: string, query = '') =>
    listed.parse((await ask(`/abilities?per_page=100${query}`, { as })).body)
  const namesFor = async (as: string) => (await list(as)).map(({ name }) => name)
  const run = (name: string, input: unknown, as: string) =>
    ask(`/abilities/${name}/run`, { method: 'POST', as, body: { input } })

  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  describe('GET /abilities', () => {
    it("has an ability in WordPress's shape", async () => {
      const { status, headers, body } = await ask('/abilities?category=user', { as: 'subscriber' })
      expect(status).to.equal(200)
      expect(headers.get('X-WP-Total')).to.equal('1')
      expect(headers.get('X-WP-TotalPages')).to.equal('1')
      const [ability] = z.array(z.unknown()).parse(body)
      expect(ability).to.include({ name: 'core/get-user-info', label: 'Get User Information', category: 'user' })
      const own = `${site.url}${BASE}/abilities/core/get-user-info`
      expect(ability).to.deep.include({
        meta: { annotations: { readonly: true, destructive: false, idempotent: true }, show_in_rest: true },
        _links: {
          self: [{ href: own }],
          collection: [{ href: `${site.url}${BASE}/abilities` }],
          'wp:action-run': [{ href: `${own}/run` }],
        },
      })
      expect(ability).to.have.nested.property('input_schema.properties.fields.type', 'array')
      expect(ability).to.have.nested.property('output_schema.properties.user_login.type', 'string')
    })

    it('shows each caller what that caller may use', async () => {
      expect(await namesFor('subscriber'))
        .to.include('content/read-post')
        .and.not.include('content/edit-post')
      expect(await namesFor('author'))
        .to.include('content/edit-post')
        .and.not.include('core/change-settings')
      expect(await namesFor('administrator')).to.include('core/change-settings')
      expect((await ask('/abilities')).status).to.equal(401)
      expect((await ask('/abilities/core/get-settings', { as: 'author' })).code).to.equal('rest_ability_not_found')
      expect((await ask('/abilities/core/get-settings', { as: 'administrator' })).status).to.equal(200)
    })

    it('goes by page, category and namespace', async () => {
      expect((await list('author', '&namespace=content')).every(({ category }) => category === 'content')).to.equal(
        true,
      )
      const { body, headers } = await ask('/abilities?per_page=1&page=2', { as: 'author' })
      expect(body).to.have.lengthOf(1)
      expect(headers.get('Link')).to.contain('rel="prev"').and.contain('rel="next"')
    })
  })

  describe('GET /categories', () => {
    it("has them in WordPress's shape", async () => {
      const { body } = await ask('/categories/content', { as: 'subscriber' })
      expect(body).to.include({ slug: 'content', label: 'Content' })
      expect(body).to.have.nested.property('_links.abilities[0].href', `${site.url}${BASE}/abilities?category=content`)
      expect((await ask('/categories', { as: 'subscriber' })).body).to.deep.include(body)
      expect((await ask('/categories/none', { as: 'subscriber' })).code).to.equal('rest_ability_category_not_found')
    })
  })

  describe('an ability is run', () => {
    it('by GET where it changes nothing, with its input in the query', async () => {
      const { status, body } = await ask('/abilities/content/read-post/run?input[id]=1')
      expect(status).to.equal(200)
      expect(body).to.include({ id: 1, title: 'Hello world!', status: 'publish', editable: false })
    })

    it('by POST where it writes', async () => {
      const { status, body } = await run('content/draft-post', { title: 'A plan' }, 'author')
      expect(status).to.equal(200)
      const draft = post.parse(body)
      expect(draft.status).to.equal('draft')
      expect(await site.host.content.posts.get(draft.id)).to.include({ title: 'A plan', status: 'draft' })
    })

    it('by DELETE if it is destructive', async () => {
      const draft = post.parse((await run('content/draft-post', { title: 'Not needed' }, 'author')).body)
      const { status } = await ask(`/abilities/content/trash-post/run?input[id]=${draft.id}`, {
        method: 'DELETE',
        as: 'author',
      })
      expect(status).to.equal(200)
      expect((await site.host.content.posts.get(draft.id))?.status).to.equal('trash')
    })

    it('by no other method, and says by which', async () => {
      const { status, headers, body, code } = await ask('/abilities/content/edit-post/run?input[id]=1', {
        as: 'administrator',
      })
      expect([status, code]).to.deep.equal([405, 'rest_ability_invalid_method'])
      expect(headers.get('Allow')).to.equal('POST')
      expect(body).to.have.property('message', 'Abilities that perform updates require POST method.')
    })

    it('only with the permission, and reveals nothing about its input otherwise', async () => {
      const refused = await run('core/change-settings', { changes: 1 }, 'editor')
      expect([refused.status, refused.code]).to.deep.equal([403, 'rest_ability_cannot_execute'])
      const visitor = await ask('/abilities/content/edit-post/run', { method: 'POST', body: { input: {} } })
      expect([visitor.status, visitor.code]).to.deep.equal([401, 'rest_ability_cannot_execute'])
    })

    it('with an input that fits', async () => {
      const missing = await ask('/abilities/content/read-post/run')
      expect([missing.status, missing.code]).to.deep.equal([400, 'ability_invalid_input'])
      expect(missing.body).to.have.nested.property('data.params').that.deep.equals(['id'])
      const wrong = await run('content/draft-post', { title: 7, terms: 'x' }, 'author')
      expect([wrong.status, wrong.code]).to.deep.equal([400, 'ability_invalid_input'])
      expect(wrong.body).to.have.nested.property('data.params').that.has.all.keys('title', 'terms')
      expect((await run('content/draft-post', ['title'], 'author')).code).to.equal('ability_invalid_input')
    })

    it('only if there is one', async () => {
      expect((await run('content/none', {}, 'administrator')).code).to.equal('rest_ability_not_found')
    })
  })
})
