import { expect } from 'chai'
import { useOwnSite } from './own-site.ts'

describe('what an admin asks about people', () => {
  const site = useOwnSite()
  let admin: string
  let editor: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    editor = await site.signIn('ed', 'editor')
  })

  describe('GET /host/v1/roles', () => {
    it('names the roles and what they can do, to those who see the users', async () => {
      const { item } = await site.ask('GET /host/v1/roles', undefined, admin)
      expect(JSON.stringify(item)).to.contain('{"role":"author","name":"Author","capabilities":["read","edit_posts"')
      expect(await site.outcome('GET /host/v1/roles', undefined, editor)).to.equal('403 rest_forbidden')
      expect(await site.outcome('GET /host/v1/roles')).to.equal('401 rest_forbidden')
    })
  })

  describe('/host/v1/users/{id}/sessions', () => {
    it('lets administrators list a user’s sessions, and end them', async () => {
      const { auth } = site.host
      const user = await auth.users.getByLogin('ed')
      if (!user) throw new Error('There is an editor.')
      const start = (userAgent: string) => auth.startSession(user, { address: '203.0.113.7', userAgent })
      const { session } = await start('Browser one')
      await start('Browser two')
      const path = `/host/v1/users/${user.id}/sessions`
      const told = async (as: string) => JSON.stringify((await site.ask(`GET ${path}`, undefined, as)).body)
      expect(await told(admin))
        .to.contain('Browser one')
        .and.contain('Browser two')
        .and.contain('"current":false')
      expect(await told(editor)).to.contain('Browser one')
      expect(await site.outcome(`DELETE ${path}/${session.id}`, undefined, admin)).to.equal('200')
      expect(await site.outcome(`DELETE ${path}/${session.id}`, undefined, admin)).to.equal('404 session_not_found')
      expect((await site.ask(`DELETE ${path}`, undefined, admin)).item).to.deep.include({ data: { ended: 1 } })
    })

    it('is not visible to others', async () => {
      const path = `/host/v1/users/${await site.idOf('admin')}/sessions`
      expect(await site.outcome(`GET ${path}`, undefined, editor)).to.equal('403 rest_forbidden')
      expect(await site.outcome(`DELETE ${path}`, undefined, editor)).to.equal('403 rest_forbidden')
      expect(await site.outcome(`GET ${path}`)).to.equal('401 rest_forbidden')
      expect(await site.outcome('GET /host/v1/users/999/sessions', undefined, admin)).to.equal(
        '404 rest_user_invalid_id',
      )
    })
  })

  describe('GET /host/v1/comment-counts', () => {
    it('counts by status, for those who moderate', async () => {
      const { comments } = site.host.content
      for (const status of ['approved', 'approved', 'hold', 'spam', 'trash'] as const) {
        await comments.insert({
          ...{ postId: 1, parentId: 0, userId: 0, authorName: 'Zoe', authorEmail: '', authorUrl: '', status },
          ...{ authorAddress: '', userAgent: '', content: status, type: 'comment', date: '', dateGmt: '' },
        })
      }
      const { item } = await site.ask('GET /host/v1/comment-counts', undefined, editor)
      expect(item).to.deep.include({ data: { all: 3, approved: 2, hold: 1, spam: 1, trash: 1 } })
      const author = await site.signIn('au', 'author')
      expect(await site.outcome('GET /host/v1/comment-counts', undefined, author)).to.equal('403 rest_forbidden')
    })
  })
})
