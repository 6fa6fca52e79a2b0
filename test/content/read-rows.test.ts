import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { statementsOf } from '../support/statements.ts'

/** Reads the title, has it changed, reads it again, all within one request. */
const EXTENSION = `import { defineExtension } from 'pentad'
import { z } from 'zod'

export default defineExtension({
  id: 'changing',
  name: 'Changing',
  version: '1.0.0',
  setup({ rest, content, database }) {
    const change = {
      statement: (id) => database.db.updateTable('posts').set({ title: 'new' }).where('id', '=', id).execute(),
      transaction: (id) =>
        database.db.transaction().execute((handle) =>
          handle.updateTable('posts').set({ title: 'new' }).where('id', '=', id).execute(),
        ),
      update: (id) => content.posts.update(id, { title: 'new' }),
      trash: (id) => content.posts.delete(id),
    }
    rest.registerRoute('changing/v1', {
      method: 'GET',
      path: '/{how}/{id}',
      access: 'public',
      input: z.object({ how: z.enum(['statement', 'transaction', 'update', 'trash']), id: z.int() }),
      response: z.object({ titles: z.array(z.string().nullable()) }),
      handler: async ({ input: { how, id } }) => {
        const title = async () => (await content.posts.get(id))?.title ?? null
        const before = await title()
        await change[how](id)
        return { titles: [before, await title()] }
      },
    })
    rest.registerRoute('changing/v1', {
      method: 'GET',
      path: '/together/{id}',
      access: 'public',
      input: z.object({ id: z.int() }),
      response: z.object({ found: z.int() }),
      handler: async ({ input: { id } }) => {
        const [many] = await Promise.all([content.posts.getMany([id]), content.posts.get(id)])
        return { found: many.size }
      },
    })
  },
})
`

describe('Reading a post for one request', () => {
  let site: TestHost
  let folder: string
  let id: number

  /** How often all of the row was read. */
  async function reads(work: () => Promise<Response>): Promise<number> {
    const statements = await statementsOf(async () => {
      const answer = await work()
      expect(answer.status).to.be.oneOf([200, 201])
      await answer.text()
    })
    return statements.filter((sql) => /^select \* from "?posts"?\s+where "?(?:id|path)"? /.test(sql)).length
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-changing-'))
    await writeFile(join(folder, 'changing.ts'), EXTENSION)
    site = await createTestHost({ extensions: [join(folder, 'changing.ts')] })
    // What is looked up once for each user or process.
    await (await site.request('/wp-json/wp/v2/posts/1', { as: 'administrator' })).text()
  })
  after(async () => {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const post = await site.host.content.posts.insert({ type: 'post', title: 'old', status: 'publish', authorId: 1 })
    id = post.id
  })

  const send = (method: string, body?: unknown) =>
    site.request(`/wp-json/wp/v2/posts/${id}?context=edit`, { method, body, as: 'administrator' })

  it('is done once for REST: permission, handler and the Allow header', async () => {
    expect(await reads(() => send('GET'))).to.equal(1)
  })

  it('happens once before a change, and once inside its transaction', async () => {
    expect(await reads(() => send('PUT', { title: 'changed' }))).to.equal(2)
  })

  it('is done once for a page', async () => {
    // A page has no related posts, whose list would be read too.
    const page = await site.host.content.posts.insert({ type: 'page', title: 'old', status: 'publish', authorId: 1 })
    expect(await reads(() => site.get(page.path))).to.equal(1)
  })

  for (const how of ['statement', 'transaction', 'update']) {
    it(`is done again after a change by ${how}`, async () => {
      const answer = await site.get(`/wp-json/changing/v1/${how}/${id}`)
      expect(await answer.json()).to.deep.equal({ titles: ['old', 'new'] })
    })
  }

  it('finds nothing after a deletion', async () => {
    const answer = await site.get(`/wp-json/changing/v1/trash/${id}`)
    expect(await answer.json()).to.deep.equal({ titles: ['old', null] })
  })

  it('finds it among several while another part of the request reads it', async () => {
    const answer = await site.get(`/wp-json/changing/v1/together/${id}`)
    expect(await answer.json()).to.deep.equal({ found: 1 })
  })
})
