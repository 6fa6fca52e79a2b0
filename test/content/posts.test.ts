import { expect } from 'chai'
import { sql } from 'kysely'
import { onEachDatabase } from '../support/databases.ts'
import { type OpenContent, openContent } from './open-content.ts'

onEachDatabase('content.posts', (databaseUrl, kind) => {
  let site: OpenContent
  before(async () => {
    site = await openContent(await databaseUrl())
  })
  after(() => site.close())

  const publish = (title: string, more: object = {}) => site.content.posts.insert({ title, status: 'publish', ...more })

  describe('insert', () => {
    it('makes slug, path, guid and dates as WordPress does', async () => {
      const post = await publish('Über die Brücke & zurück', { date: '2026-07-01T12:00:00' })
      expect(post.slug).to.equal('uber-die-brucke-zuruck')
      expect(post.path).to.equal('/uber-die-brucke-zuruck/')
      expect(post.guid).to.equal(`http://127.0.0.1:8080/?p=${post.id}`)
      expect(post.date).to.equal('2026-07-01T12:00:00')
      expect(post.dateGmt).to.equal('2026-07-01T12:00:00')
      expect(post.commentStatus).to.equal('open')
      expect(await site.content.posts.getByPath(post.path)).to.deep.equal(post)
      expect(site.content.link(post)).to.equal(`http://127.0.0.1:8080${post.path}`)
    })

    it('has the same date and time of change, also where seconds pass while it is saved', async () => {
      const { now } = Date
      let later = 0
      Date.now = () => {
        later += 1000
        return now() + later
      }
      const post = await publish('Slow').finally(() => {
        Date.now = now
      })
      expect(post.modifiedGmt).to.equal(post.dateGmt)
    })

    it('keeps a draft without slug and path until it is published, and dates it then', async () => {
      const draft = await site.content.posts.insert({ title: 'Not yet' })
      expect([draft.status, draft.slug, draft.path]).to.deep.equal(['draft', '', ''])
      expect(site.content.link(draft)).to.equal(`http://127.0.0.1:8080/?p=${draft.id}`)
      const published = await site.content.posts.update(draft.id, { status: 'publish' })
      expect([published.slug, published.path]).to.deep.equal(['not-yet', '/not-yet/'])
    })

    it('takes the site’s time zone for the other of the two dates', async () => {
      await site.content.updateSiteSettings({ timezone: 'Europe/Berlin' })
      const summer = await publish('Summer', { date: '2026-07-01T12:00:00' })
      const winter = await publish('Winter', { dateGmt: '2026-01-01T12:00:00' })
      await site.content.updateSiteSettings({ timezone: '' })
      expect(summer.dateGmt).to.equal('2026-07-01T10:00:00')
      expect(winter.date).to.equal('2026-01-01T13:00:00')
    })

    it('uses a wanted id if it is free and goes on numbering after it', async () => {
      const first = await publish('Numbered', { id: 5000 })
      const second = await publish('Numbered too', { id: 5000 })
      expect(first.id).to.equal(5000)
      expect(second.id).to.equal(5001)
    })

    it('rejects invalid dates, and numbers out of range', async () => {
      for (const wrong of [{ date: '2026-13-01T00:00:00' }, { date: 'soon' }, { menuOrder: 2 ** 40 }]) {
        let code = ''
        await publish('Wrong', wrong).catch((error: { code: string }) => {
          code = error.code
        })
        expect(code).to.equal('rest_invalid_param')
      }
    })

    it('stores NUL and broken characters without them', async () => {
      const post = await publish('a\0b\ud800')
      expect(post.title).to.equal('ab\ufffd')
    })
  })

  describe('unique slugs', () => {
    it('number posts of one type', async () => {
      const slugs = [await publish('Twin'), await publish('Twin'), await publish('Twin')].map((post) => post.slug)
      expect(slugs).to.deep.equal(['twin', 'twin-2', 'twin-3'])
    })

    it('let a page have the slug of a post, and the page wins the path', async () => {
      const post = await publish('Shared')
      const page = await publish('Shared', { type: 'page' })
      expect(page.slug).to.equal('shared')
      expect((await site.content.posts.getByPath('/shared/'))?.id).to.equal(page.id)
      expect(post.path).to.equal(page.path)
    })

    it('are unique for pages below one parent only', async () => {
      const one = await publish('One', { type: 'page' })
      const two = await publish('Two', { type: 'page' })
      const team = [
        await publish('Team', { type: 'page', parentId: one.id }),
        await publish('Team', { type: 'page', parentId: two.id }),
        await publish('Team', { type: 'page', parentId: two.id }),
      ]
      expect(team.map((page) => page.path)).to.deep.equal(['/one/team/', '/two/team/', '/two/team-2/'])
    })

    it('are unique among everything for attachments', async () => {
      await publish('Harbor')
      const attachment = await site.content.posts.insert({ type: 'attachment', status: 'inherit', title: 'Harbor' })
      expect([attachment.slug, attachment.path]).to.deep.equal(['harbor-2', '/harbor-2/'])
    })

    it('never look like a feed, a year or a page number', async () => {
      expect((await publish('Feed')).slug).to.equal('feed-2')
      expect((await publish('2026')).slug).to.equal('2026-2')
      expect((await publish('Page 2', { type: 'page', slug: 'page2' })).slug).to.equal('page2-2')
      expect((await publish('wp-json')).slug).to.equal('wp-json-2')
    })

    it('are made of the id when the title says nothing', async () => {
      const post = await publish('', { type: 'page' })
      expect(post.slug).to.equal(`${post.id}-2`)
    })

    it('stay within 200 bytes with their number, cut between characters', async () => {
      const title = '東京'.repeat(40)
      const [first, second] = [await publish(title), await publish(title)]
      expect(first.slug).to.have.length(198)
      expect(second.slug).to.match(/^(%[0-9a-f]{2})+-2$/)
      expect(second.slug.length).to.be.at.most(200)
      expect(() => decodeURIComponent(second.slug)).to.not.throw()
    })
  })

  describe('paths below a page', () => {
    it('follow its slug, its parent and its status', async () => {
      const root = await publish('Root', { type: 'page' })
      const other = await publish('Other', { type: 'page' })
      const child = await publish('Child', { type: 'page', parentId: root.id })
      const grandchild = await publish('Grandchild', { type: 'page', parentId: child.id })
      const picture = await site.content.posts.insert({
        type: 'attachment',
        status: 'inherit',
        title: 'Picture of it',
        parentId: grandchild.id,
      })
      const paths = async () =>
        [...(await site.content.posts.getMany([child.id, grandchild.id, picture.id])).values()].map(({ path }) => path)
      expect(await paths()).to.deep.equal([
        '/root/child/',
        '/root/child/grandchild/',
        '/root/child/grandchild/picture-of-it/',
      ])
      await site.content.posts.update(root.id, { slug: 'trunk' })
      expect((await paths())[1]).to.equal('/trunk/child/grandchild/')
      await site.content.posts.update(child.id, { parentId: other.id })
      expect((await paths())[2]).to.equal('/other/child/grandchild/picture-of-it/')
      await site.content.posts.update(grandchild.id, { status: 'draft' })
      expect((await paths()).slice(1)).to.deep.equal(['', ''])
    })

    it('move up when it is deleted', async () => {
      const root = await publish('Up', { type: 'page' })
      const middle = await publish('Middle', { type: 'page', parentId: root.id })
      const leaf = await publish('Leaf', { type: 'page', parentId: middle.id })
      await site.content.posts.delete(middle.id)
      const moved = await site.content.posts.get(leaf.id)
      expect([moved?.parentId, moved?.path]).to.deep.equal([root.id, '/up/leaf/'])
    })
  })

  describe('update', () => {
    it('sets only the columns that change, so that no index of another column is written', async () => {
      const { db } = site.database
      const post = await publish('Written sparingly', { content: 'Before' })
      const others = sql.raw(
        'after update of type, status, slug, path, title, author_id, parent_id, date, guid on posts',
      )
      if (kind === 'sqlite') {
        await sql`create trigger sparing ${others} when old.id = ${sql.lit(post.id)}
          begin select raise(abort, 'unchanged column set'); end`.execute(db)
      } else {
        await sql`create function sparing() returns trigger language plpgsql as
          $$ begin raise exception 'unchanged column set'; end $$`.execute(db)
        await sql`create trigger sparing ${others} for each row when (old.id = ${sql.lit(post.id)})
          execute function sparing()`.execute(db)
      }
      const text = { type: 'post', title: post.title, status: 'publish', slug: post.slug, content: 'After' } as const
      const after = await site.content.posts.update(post.id, text)
      expect([after.title, after.content, after.path]).to.deep.equal([post.title, 'After', post.path])
      expect(await site.content.posts.get(post.id)).to.deep.equal(after)
      const renamed = await site.content.posts.update(post.id, { title: 'Other' }).catch(String)
      expect(renamed).to.contain('unchanged column set')
      await (kind === 'sqlite' ? sql`drop trigger sparing` : sql`drop trigger sparing on posts`).execute(db)
    })

    it('accepts changes that change nothing', async () => {
      const post = await publish('Same')
      const { title, modified, modifiedGmt } = post
      expect(await site.content.posts.update(post.id, { title, modified, modifiedGmt })).to.deep.equal(post)
    })
  })

  describe('hooks', () => {
    it('fire with WordPress’s arguments, once everything is stored', async () => {
      const seen: unknown[] = []
      const undo = [
        site.hooks.addAction(
          'transition_post_status',
          (next, old, post) => void seen.push(['transition', next, old, post.id]),
        ),
        site.hooks.addAction('publish_post', (id, post, old) => void seen.push(['publish_post', id, post.title, old])),
        site.hooks.addAction('save_post', async (id, post, update) => {
          seen.push(['save_post', id, update, (await site.content.meta.get('post', id, 'k')) ?? null, post.status])
        }),
        site.hooks.addAction(
          'set_object_terms',
          (id, asked, now, taxonomy) => void seen.push(['terms', id, asked, now, taxonomy]),
        ),
        site.hooks.addAction('before_delete_post', (id, post) => void seen.push(['before', id, post.title])),
        site.hooks.addAction('deleted_post', async (id) => {
          seen.push(['deleted', id, (await site.content.posts.get(id)) ?? null])
        }),
      ]
      const tag = await site.content.terms.insert('post_tag', { name: 'hooked' })
      const { id } = await site.content.posts.insert({
        title: 'Hooked',
        meta: { k: [1] },
        terms: { post_tag: [tag.id] },
      })
      await site.content.posts.update(id, { status: 'publish' })
      await site.content.posts.delete(id)
      for (const remove of undo) remove()
      expect(seen).to.deep.equal([
        ['terms', id, [tag.id], [tag.id], 'post_tag'],
        ['transition', 'draft', 'new', id],
        ['save_post', id, false, 1, 'draft'],
        ['transition', 'publish', 'draft', id],
        ['publish_post', id, 'Hooked', 'draft'],
        ['save_post', id, true, 1, 'publish'],
        ['before', id, 'Hooked'],
        ['deleted', id, null],
      ])
    })
  })
})
