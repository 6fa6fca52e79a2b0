import { expect } from 'chai'
import type { Post } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { openOwnSite, useOwnSite } from './own-site.ts'

onEachDatabase('writing wp/v2 comments', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let reader: string
  let post: Post
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    reader = await site.signIn('reader', 'subscriber')
  })

  let stopFlood: () => void
  beforeEach(async () => {
    stopFlood = site.host.hooks.addFilter('comment_flood_filter', () => false)
    const authorId = await site.idOf('admin')
    post = await site.host.content.posts.insert({ status: 'publish', title: 'About trains', authorId })
  })
  afterEach(() => stopFlood())

  const setting = (changes: object, as = admin) =>
    site.ask('PUT /host/v1/settings/discussion', { settings: changes }, as)
  const say = (comment: object, as?: string) => site.ask('POST /wp/v2/comments', { post: post.id, ...comment }, as)
  const refusal = (comment: object, as?: string) =>
    site.outcome('POST /wp/v2/comments', { post: post.id, ...comment }, as)
  const countOf = async () => (await site.host.content.posts.get(post.id))?.commentCount

  describe('who may', () => {
    it('a user, under their own name; the first one waits for approval', async () => {
      const { status, item, headers } = await say({ content: 'First!' }, reader)
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/comments/${item.id}`)
      expect(item).to.include({ author_name: 'reader', status: 'hold', post: post.id, parent: 0, type: 'comment' })
      expect(item).not.to.have.property('author_email')
      expect(await countOf()).to.equal(0)
    })

    it('who was approved once is trusted from then on', async () => {
      const { item } = await say({ content: 'Let me in' }, reader)
      await site.ask(`POST /wp/v2/comments/${item.id}`, { status: 'approve' }, admin)
      expect((await say({ content: 'And again' }, reader)).item.status).to.equal('approved')
      expect(await countOf()).to.equal(2)
    })

    it('a visitor only where the setting or the filter says so, with name and address', async () => {
      const comment = { content: 'Hello', author_name: 'Ann', author_email: 'ann@example.org' }
      expect(await refusal(comment)).to.equal('401 rest_comment_login_required')
      await setting({ restAllowAnonymousComments: 'on' })
      expect(await refusal({ content: 'Hello' })).to.equal('400 rest_comment_author_data_required')
      expect(await refusal({ ...comment, author_email: 'no address' })).to.equal('400 rest_invalid_param')
      expect(await refusal(comment)).to.equal('201')
      await setting({ commentRegistration: 'on' })
      expect(await refusal({ ...comment, content: 'More' })).to.equal('401 rest_comment_login_required')
      await setting({ restAllowAnonymousComments: 'off', commentRegistration: 'off' })
      const undo = site.host.hooks.addFilter('rest_allow_anonymous_comments', () => true)
      expect(await refusal({ ...comment, content: 'Filtered' })).to.equal('201')
      undo()
    })

    it('not on a closed post, a draft, a missing post or one that the user may not read', async () => {
      const { posts } = site.host.content
      const on = async (fields: object, more: object = {}) => {
        const other = await posts.insert({ status: 'publish', title: 'Other', authorId: post.authorId, ...fields })
        return refusal({ content: 'x', post: other.id, ...more }, reader)
      }
      expect(await on({ commentStatus: 'closed' })).to.equal('403 rest_comment_closed')
      expect(await on({ status: 'draft' })).to.equal('403 rest_comment_draft_post')
      expect(await on({ status: 'trash' })).to.equal('403 rest_comment_trash_post')
      expect(await on({ status: 'private' })).to.equal('403 rest_cannot_read_post')
      expect(await on({ password: 'sesame' })).to.equal('403 rest_cannot_read_post')
      expect(await on({ password: 'sesame' }, { password: 'sesame' })).to.equal('201')
      expect(await refusal({ content: 'x', post: 99_999 }, reader)).to.equal('403 rest_comment_invalid_post_id')
      expect(await refusal({ content: 'x', post: 0 }, reader)).to.equal('403 rest_comment_invalid_post_id')
    })

    it('on an old post, once the setting closes those', async () => {
      await setting({ closeCommentsForOldPosts: 'on', closeCommentsDaysOld: 10 })
      const old = { status: 'publish', title: 'Old', dateGmt: '2020-01-01T00:00:00' }
      const { id } = await site.host.content.posts.insert(old)
      expect(await refusal({ content: 'x', post: id }, reader)).to.equal('403 rest_comment_closed')
      expect(await refusal({ content: 'on a new one' }, reader)).to.equal('201')
      await setting({ closeCommentsForOldPosts: 'off' })
    })

    it('sets author, address and status only if they moderate', async () => {
      const author = await site.idOf('admin')
      expect(await refusal({ content: 'x', author }, reader)).to.equal('403 rest_comment_invalid_author')
      expect(await refusal({ content: 'x', author_ip: '10.0.0.1' }, reader)).to.equal(
        '403 rest_comment_invalid_author_ip',
      )
      expect(await refusal({ content: 'x', status: 'approve' }, reader)).to.equal('403 rest_comment_invalid_status')
      const { item } = await say({ content: 'x', author: await site.idOf('reader'), status: 'hold' }, admin)
      expect(item).to.include({ author_name: 'reader', status: 'hold', author_email: 'reader@example.org' })
      expect(await refusal({ content: 'x', author: 99_999 }, admin)).to.equal('400 rest_comment_author_invalid')
    })
  })

  describe('what is refused', () => {
    it('an empty one, one that exists, another type, one that is too long', async () => {
      expect(await refusal({ content: '' }, reader)).to.equal('400 rest_comment_content_invalid')
      expect(await refusal({ content: '<img>' }, reader)).to.equal('400 require_valid_comment')
      expect(await refusal({}, reader)).to.equal('400 rest_comment_content_invalid')
      expect(await refusal({ content: 'x', id: 1 }, reader)).to.equal('400 rest_comment_exists')
      expect(await refusal({ content: 'x', type: 'pingback' }, reader)).to.equal('400 rest_invalid_comment_type')
      expect(await refusal({ content: 'ä'.repeat(33_000) }, reader)).to.equal('400 comment_content_column_length')
      const named = { content: 'x', author_name: 'n', author_email: 'a@example.org' }
      expect(await refusal({ ...named, author_name: 'n'.repeat(246) }, admin)).to.equal(
        '400 comment_author_column_length',
      )
      const url = `https://example.org/${'u'.repeat(200)}`
      expect(await refusal({ ...named, author_url: url }, admin)).to.equal('400 comment_author_url_column_length')
    })

    it('a duplicate: 409, and the action fires', async () => {
      const seen: string[] = []
      const undo = site.host.hooks.addAction('comment_duplicate_trigger', ({ content }) => void seen.push(content))
      expect(await refusal({ content: 'Twice' }, reader)).to.equal('201')
      expect(await refusal({ content: 'Twice' }, reader)).to.equal('409 comment_duplicate')
      undo()
      expect(seen).to.deep.equal(['Twice'])
    })

    it('two within fifteen seconds: 429, but not from who moderates', async () => {
      stopFlood()
      const eager = await site.signIn('eager', 'subscriber')
      expect(await refusal({ content: 'one' }, eager)).to.equal('201')
      const { status, item, headers } = await say({ content: 'two' }, eager)
      expect([status, item.code, headers.get('retry-after')]).to.deep.equal([429, 'comment_flood', '15'])
      expect(await refusal({ content: 'one' }, admin)).to.equal('201')
      expect(await refusal({ content: 'two' }, admin)).to.equal('201')
    })

    it('nothing because of one that a moderator dated ahead', async () => {
      stopFlood()
      const early = await site.signIn('early', 'subscriber')
      const ahead = { author: await site.idOf('early'), date_gmt: new Date(Date.now() + 86_400_000).toISOString() }
      expect(await refusal({ content: 'tomorrow', ...ahead }, admin)).to.equal('201')
      expect(await refusal({ content: 'today' }, early)).to.equal('201')
      expect(await refusal({ content: 'and at once' }, early)).to.equal('429 comment_flood')
    })

    it('too much from one address without a name', async () => {
      const fresh = await openOwnSite()
      await fresh.host.settings.get('discussion')?.update({ restAllowAnonymousComments: 'on' })
      fresh.host.hooks.addFilter('comment_flood_filter', () => false)
      const { id } = await fresh.host.content.posts.insert({ status: 'publish', title: 'x' })
      const one = (at: number) =>
        fresh.outcome('POST /wp/v2/comments', {
          post: id,
          content: `${at}`,
          author_name: 'a',
          author_email: 'a@b.example',
        })
      for (let at = 0; at < 10; at++) expect(await one(at)).to.equal('201')
      expect(await one(10)).to.equal('429 rest_too_many_requests')
      await fresh.close()
    })

    it('an answer to a comment of another post', async () => {
      const { item: first } = await say({ content: 'Question' }, admin)
      const { item: answer } = await say({ content: 'Answer', parent: first.id }, admin)
      expect(answer.parent).to.equal(first.id)
      expect(toObject(answer._links)).to.have.property('in-reply-to')
      const other = await site.host.content.posts.insert({ status: 'publish', title: 'Elsewhere' })
      expect(await refusal({ content: 'x', post: other.id, parent: first.id }, admin)).to.equal(
        '400 rest_comment_invalid_parent',
      )
      expect(await site.outcome(`POST /wp/v2/comments/${first.id}`, { parent: answer.id }, admin)).to.equal(
        '400 rest_comment_invalid_parent',
      )
    })

    it('what a callback refuses', async () => {
      const { RestError } = await import('../../core/errors.ts')
      const undo = site.host.hooks.addFilter('preprocess_comment', () => {
        throw new RestError('too_rude', 'Mind your words.', { status: 403 })
      })
      expect(await refusal({ content: 'x' }, reader)).to.equal('403 too_rude')
      undo()
    })
  })

  it('keeps the tags of WordPress’s list and no script', async () => {
    const content =
      '<b>bold</b> <script>alert(1)</script><a href="javascript:alert(1)" onclick="x">link</a><h1>big</h1>'
    const { item } = await say({ content, author_name: '<i>Ann</i> & Bob', author_email: 'a@example.org' }, reader)
    const stored = await site.host.content.comments.get(Number(item.id))
    expect(stored?.content).to.equal('<b>bold</b> <a>link</a>big')
    expect(stored?.authorName).to.equal('Ann &amp; Bob')
  })

  describe('changing', () => {
    it('is for those who moderate or may edit the post', async () => {
      const { item } = await say({ content: 'Mine' }, reader)
      const change = (as?: string) => site.outcome(`POST /wp/v2/comments/${item.id}`, { content: 'Changed' }, as)
      expect(await change()).to.equal('401 rest_cannot_edit')
      expect(await change(reader)).to.equal('403 rest_cannot_edit')
      expect(await change(await site.signIn('editor', 'editor'))).to.equal('200')
      expect((await site.ask(`GET /wp/v2/comments/${item.id}`, undefined, admin)).item.author_name).to.equal('reader')
      expect(await site.outcome('POST /wp/v2/comments/99999', { content: 'x' }, admin)).to.equal(
        '404 rest_comment_invalid_id',
      )
    })

    it('takes text, author, date, place and status', async () => {
      const { item } = await say({ content: 'Before' }, reader)
      const to = await site.host.content.posts.insert({ status: 'publish', title: 'There' })
      const { item: after } = await site.ask(
        `PATCH /wp/v2/comments/${item.id}`,
        {
          content: { raw: 'After' },
          author_name: 'Someone',
          date: '2020-02-03T04:05:06',
          post: to.id,
          status: 'approved',
        },
        admin,
      )
      expect(after).to.include({ author_name: 'Someone', date: '2020-02-03T04:05:06', post: to.id, status: 'approved' })
      expect(after.date_gmt).to.equal('2020-02-03T04:05:06')
      expect(toObject(after.content).raw).to.equal('After')
      expect((await site.host.content.posts.get(to.id))?.commentCount).to.equal(1)
      expect(await site.outcome(`POST /wp/v2/comments/${item.id}`, { content: '' }, admin)).to.equal(
        '400 rest_comment_content_invalid',
      )
      for (const post of [0, 99_999]) {
        expect(await site.outcome(`POST /wp/v2/comments/${item.id}`, { post }, admin)).to.equal(
          '403 rest_comment_invalid_post_id',
        )
      }
    })

    it('of another’s name and of the place is not for who only wrote the post', async () => {
      const author = await site.signIn('author', 'author')
      const { posts } = site.host.content
      const own = { status: 'publish', authorId: await site.idOf('author') }
      const [here, there] = [
        await posts.insert({ ...own, title: 'Here' }),
        await posts.insert({ ...own, title: 'There' }),
      ]
      const { item } = await say({ post: here.id, content: 'Good morning' }, reader)
      const change = (changes: object) => site.outcome(`POST /wp/v2/comments/${item.id}`, changes, author)
      expect(await change({ author: await site.idOf('admin') })).to.equal('403 rest_comment_invalid_author')
      expect(await change({ post: post.id, status: 'approved' })).to.equal('403 rest_comment_invalid_post_id')
      expect(await change({ author: item.author, post: here.id, content: 'Good day' })).to.equal('200')
      expect(await change({ post: there.id })).to.equal('200')
    })

    it('takes a record back as a visitor reads it, its text unchanged', async () => {
      const { item } = await say({ content: 'As <em>it</em> was' }, admin)
      const { item: seen } = await site.ask(`GET /wp/v2/comments/${item.id}`)
      const sent = { ...seen, author_name: 'Renamed', author: undefined }
      const { status, item: after } = await site.ask(`POST /wp/v2/comments/${item.id}`, sent, admin)
      expect([status, after.author_name, after.content]).to.deep.equal([200, 'Renamed', item.content])
      expect(await refusal({ content: { rendered: 'x' } }, admin)).to.equal('400 rest_comment_content_invalid')
    })

    it('of the status fires WordPress’s transitions and keeps the count', async () => {
      const seen: string[] = []
      const { hooks } = site.host
      const undo = [
        hooks.addAction('transition_comment_status', (now, old) => void seen.push(`${old}>${now}`)),
        hooks.addAction('comment_unapproved_to_approved', () => void seen.push('comment_unapproved_to_approved')),
        hooks.addAction('spammed_comment', () => void seen.push('spammed')),
        hooks.addAction('unspammed_comment', () => void seen.push('unspammed')),
        hooks.addAction('trashed_comment', () => void seen.push('trashed')),
      ]
      const { item } = await say({ content: 'Moving', status: 'hold' }, admin)
      const to = async (status: string) => {
        const answer = await site.ask(`POST /wp/v2/comments/${item.id}`, { status }, admin)
        return `${String(answer.item.status)} ${await countOf()}`
      }
      expect(await to('approve')).to.equal('approved 1')
      expect(await to('spam')).to.equal('spam 0')
      expect(await to('unspam')).to.equal('approved 1')
      expect(await to('trash')).to.equal('trash 0')
      expect(await to('untrash')).to.equal('approved 1')
      expect(await to('hold')).to.equal('hold 0')
      for (const one of undo) one()
      expect(seen).to.deep.equal([
        ...['unapproved>approved', 'comment_unapproved_to_approved'],
        ...['approved>spam', 'spammed', 'spam>approved', 'unspammed'],
        ...['approved>trash', 'trashed', 'trash>approved', 'approved>unapproved'],
      ])
    })
  })

  describe('deleting', () => {
    it('first means the trash, then force', async () => {
      const { item } = await say({ content: 'Bye' }, admin)
      const path = `/wp/v2/comments/${item.id}`
      expect(await site.outcome(`DELETE ${path}`, undefined, reader)).to.equal('403 rest_cannot_delete')
      expect((await site.ask(`DELETE ${path}`, undefined, admin)).item.status).to.equal('trash')
      expect(await countOf()).to.equal(0)
      expect(await site.outcome(`DELETE ${path}`, undefined, admin)).to.equal('410 rest_already_trashed')
      const { item: gone } = await site.ask(`DELETE ${path}?force=true`, undefined, admin)
      expect([gone.deleted, toObject(gone.previous).id]).to.deep.equal([true, item.id])
      expect(await site.outcome(`GET ${path}`, undefined, admin)).to.equal('404 rest_comment_invalid_id')
    })

    it('moves the answers up', async () => {
      const { item: first } = await say({ content: 'a' }, admin)
      const { item: second } = await say({ content: 'b', parent: first.id }, admin)
      const { item: third } = await say({ content: 'c', parent: second.id }, admin)
      await site.ask(`DELETE /wp/v2/comments/${second.id}?force=true`, undefined, admin)
      expect((await site.ask(`GET /wp/v2/comments/${third.id}`)).item.parent).to.equal(first.id)
    })
  })
})
