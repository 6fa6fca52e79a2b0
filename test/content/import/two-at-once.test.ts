import { join } from 'node:path'
import { expect } from 'chai'
import { onEachDatabase } from '../../support/databases.ts'
import { type OpenSite, openSite } from './open-site.ts'

const EXPORT = join(import.meta.dirname, '../../fixtures/wordpress-export.xml')

onEachDatabase('two imports at once', (databaseUrl) => {
  let site: OpenSite
  before(async () => {
    site = await openSite(await databaseUrl())
  })
  after(() => site.close())

  it('run one after the other; the second adds nothing', async () => {
    const messages: string[] = []
    const reports = await Promise.all([
      site.import(EXPORT, undefined, ({ message }) => messages.push(message)),
      site.import(EXPORT, undefined, ({ message }) => messages.push(message)),
    ])
    const added = reports.map(({ posts, comments, users }) => [posts.post?.added, comments.added, users.added])
    expect(added.map(String).sort()).to.deep.equal(['0,0,0', '51,21,2'])
    expect(messages).to.include('waiting for another import to finish')
  })
})
