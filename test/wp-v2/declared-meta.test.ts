import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('declared meta of terms, comments and users', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  const undo: (() => void)[] = []
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    const { content } = site.host
    const shown = { type: 'integer', single: true, showInRest: true } as const
    undo.push(
      content.registerMeta('term', 'shelf', { ...shown, objectSubtype: 'category' }),
      content.registerMeta('comment', 'rating', shown),
      content.registerMeta('user', 'badge', shown),
      content.registerMeta('user', 'secret', { ...shown, showInRest: false }),
      content.registerMeta('user', '_locked', shown),
    )
  })

  it('are stored and shown with their object until they are undeclared', async () => {
    const { item } = await site.ask('POST /wp/v2/categories', { name: 'Books', meta: { shelf: '7', other: 1 } }, admin)
    expect(item.meta).to.deep.equal({ shelf: 7 })
    const { item: changed } = await site.ask(`POST /wp/v2/categories/${item.id}`, { meta: { shelf: null } }, admin)
    expect(changed.meta).to.deep.equal({ shelf: 0 })
    expect((await site.ask('POST /wp/v2/tags', { name: 'x', meta: { shelf: 1 } }, admin)).item.meta).to.deep.equal([])

    const { id: post } = await site.host.content.posts.insert({ status: 'publish', title: 'x' })
    const comment = { post, content: 'Good', meta: { rating: 5 } }
    expect((await site.ask('POST /wp/v2/comments', comment, admin)).item.meta).to.deep.equal({ rating: 5 })

    const { item: me } = await site.ask('POST /wp/v2/users/me', { meta: { badge: 3, secret: 1 } }, admin)
    expect(me.meta).to.deep.equal({ persisted_preferences: {}, badge: 3, _locked: 0 })
  })

  it('are refused if they do not fit, and nothing is stored', async () => {
    const wrong = { name: 'Wrong', meta: { shelf: 'top' } }
    expect(await site.outcome('POST /wp/v2/categories', wrong, admin)).to.equal('400 rest_invalid_param')
    expect(await site.host.content.terms.getBySlug('category', 'wrong')).to.equal(undefined)
  })

  it('with an underscore cannot be written', async () => {
    expect(await site.outcome('POST /wp/v2/users/me', { meta: { _locked: 1 } }, admin)).to.equal(
      '403 rest_cannot_update',
    )
  })

  it('vanish with their declaration', async () => {
    for (const one of undo) one()
    expect((await site.ask('GET /wp/v2/users/me', undefined, admin)).item.meta).to.deep.equal([])
  })
})
