import { expect } from 'chai'
import { createLinkIndex, type LinkPage } from '../../../plugins/seo/links/link-index.ts'
import { openLinkTables } from '../../../plugins/seo/links/tables.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { openSeoSite } from '../seo-site.ts'

onEachDatabase('The link index', (databaseUrl) => {
  it('has the later state of a post if two are stored at once, although it had that state before', async () => {
    const site = await openSeoSite({ config: { databaseUrl: await databaseUrl() } })
    const post = await site.host.content.posts.insert({ title: 'Trains', type: 'post', status: 'publish' })
    const db = await openLinkTables(site.host.database)
    const index = createLinkIndex(db)
    const page = (isIndexable: boolean): LinkPage => {
      const terms = new Map(isIndexable ? [['train', 1]] : [])
      return { post, isIndexable, addresses: [`?${post.id}`], formerAddresses: [], links: new Set(), terms }
    }
    await index.put([page(true)])
    await Promise.all([index.put([page(false)]), index.put([page(true)])])
    const rows = db.selectFrom('seo_link_posts').select('indexable').where('post_id', '=', post.id)
    expect(await rows.execute()).to.deep.equal([{ indexable: 1 }])
    const terms = db.selectFrom('seo_link_terms').select('term').where('post_id', '=', post.id)
    expect(await terms.execute()).to.deep.equal([{ term: 'train' }])
    await site.close()
  })
})
