import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { useOwnSite } from './own-site.ts'

/** As an extension meets it without meaning to: what it calls in a callback refuses something. */
const CLUMSY = `
import { defineExtension, RestError } from 'pentad'
export default defineExtension({
  id: 'clumsy', name: 'Clumsy', version: '1.0.0',
  setup({ hooks }) {
    const refuse = () => { throw new RestError('term_exists', 'There is one.', { status: 400 }) }
    for (const name of ['NAME']) hooks.addAction(name, refuse)
  },
})
`

onEachDatabase('what is stored and only told of', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  const folder = temporaryFolder()
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
  })

  /** Does it while an extension refuses in the hook. */
  async function refusedIn(name: string, work: () => Promise<void>): Promise<void> {
    const file = join(folder, 'clumsy.ts')
    writeFileSync(file, CLUMSY.replace('NAME', name))
    const { extensions } = site.host
    const id = await extensions.add(file)
    await extensions.activate(id)
    await work()
    await extensions.deactivate(id)
  }

  for (const name of ['save_post', 'rest_after_insert_post', 'draft_to_publish', '_wp_put_post_revision']) {
    it(`can no longer be rejected in ${name}: the response is a success, and the other callbacks run`, async () => {
      const { item } = await site.ask('POST /wp/v2/posts', { title: name }, admin)
      const told: string[] = []
      const undo = site.host.hooks.addAction('wp_after_insert_post', (_id, post) => void told.push(post.title))
      await refusedIn(name, async () => {
        const change = { title: `${name} 2`, status: 'publish' }
        expect(await site.outcome(`POST /wp/v2/posts/${item.id}`, change, admin)).to.equal('200')
      })
      undo()
      expect(told).to.deep.equal([`${name} 2`])
    })
  }

  it('cannot be refused in created_term, user_register and deleted_post either', async () => {
    await refusedIn('created_term', async () => {
      expect(await site.outcome('POST /wp/v2/tags', { name: 'late' }, admin)).to.equal('201')
    })
    await refusedIn('user_register', async () => {
      const user = { username: 'late', email: 'late@example.org', password: 'a long password' }
      expect(await site.outcome('POST /wp/v2/users', user, admin)).to.equal('201')
    })
    await refusedIn('deleted_post', async () => {
      const { item } = await site.ask('POST /wp/v2/posts', { title: 'gone' }, admin)
      expect(await site.outcome(`DELETE /wp/v2/posts/${item.id}?force=true`, undefined, admin)).to.equal('200')
    })
  })

  it('can still be refused before it is stored', async () => {
    const { item } = await site.ask('POST /wp/v2/posts', { title: 'stays' }, admin)
    await refusedIn('pre_post_update', async () => {
      const change = { title: 'changed' }
      expect(await site.outcome(`POST /wp/v2/posts/${item.id}`, change, admin)).to.equal('400 term_exists')
    })
    expect((await site.host.content.posts.get(Number(item.id)))?.title).to.equal('stays')
  })
})
