import { expect } from 'chai'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

const WATCHED = [
  ...['rest_insert_post', 'rest_after_insert_post', 'rest_delete_post', 'pre_post_update', 'set_object_terms'],
  ...['transition_post_status', 'new_to_draft', 'draft_to_publish', 'publish_to_trash', 'trash_to_draft'],
  ...['draft_post', 'publish_post', 'trash_post', 'edit_post_post', 'edit_post', 'post_updated', 'save_post_post'],
  ...['save_post', 'wp_insert_post', 'wp_after_insert_post', '_wp_put_post_revision', 'post_stuck', 'post_unstuck'],
  ...['wp_trash_post', 'trashed_post', 'untrash_post', 'untrashed_post', 'before_delete_post', 'delete_post_post'],
  ...['delete_post', 'deleted_post_post', 'deleted_post', 'after_delete_post'],
]

onEachDatabase('the hooks of a post that REST writes', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  const seen: string[] = []
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    for (const name of WATCHED) site.host.hooks.addAction(name, () => void seen.push(name))
  })

  const fired = async (route: string, body?: object) => {
    seen.length = 0
    const told = await site.ask(route, body, admin)
    expect(told.status, JSON.stringify(told.body)).to.be.below(300)
    return { id: Number(told.item.id), names: [...seen] }
  }

  it('fire in WordPress’s order through a post’s life', async () => {
    const made = await fired('POST /wp/v2/posts', { title: 'Life' })
    const { id } = made
    expect(made.names).to.deep.equal([
      ...['set_object_terms', 'transition_post_status', 'new_to_draft', 'draft_post', 'save_post_post', 'save_post'],
      ...['wp_insert_post', 'wp_after_insert_post', 'rest_insert_post', 'rest_after_insert_post'],
    ])
    const published = await fired(`POST /wp/v2/posts/${id}`, { status: 'publish', title: 'Life!', sticky: true })
    expect(published.names).to.deep.equal([
      ...[
        'pre_post_update',
        'transition_post_status',
        'draft_to_publish',
        'publish_post',
        'edit_post_post',
        'edit_post',
      ],
      ...['post_updated', 'save_post_post', 'save_post', 'wp_insert_post', '_wp_put_post_revision'],
      ...['_wp_put_post_revision', 'post_stuck', 'wp_after_insert_post', 'rest_insert_post', 'rest_after_insert_post'],
    ])
    const thrown = await fired(`DELETE /wp/v2/posts/${id}`)
    expect(thrown.names.filter((name) => /trash|delete/.test(name))).to.deep.equal([
      ...['wp_trash_post', 'publish_to_trash', 'trash_post', 'trashed_post', 'rest_delete_post'],
    ])
    const back = await fired(`POST /wp/v2/posts/${id}`, { status: 'draft', sticky: false })
    expect(back.names.filter((name) => /trash|stuck/.test(name))).to.deep.equal([
      ...['untrash_post', 'trash_to_draft', 'post_unstuck', 'untrashed_post'],
    ])
    expect((await fired(`DELETE /wp/v2/posts/${id}?force=true`)).names).to.deep.equal([
      ...['before_delete_post', 'delete_post_post', 'delete_post', 'deleted_post_post', 'deleted_post'],
      ...['after_delete_post', 'rest_delete_post'],
    ])
  })

  it('get WordPress’s arguments', async () => {
    const { hooks } = site.host
    const told: unknown[] = []
    const undo = [
      hooks.addAction('wp_after_insert_post', (id, post, update, before) => {
        told.push([id, post.title, update, before?.title ?? null])
      }),
      hooks.addAction('trashed_post', (id, previous) => void told.push([id, previous])),
      hooks.addAction('untrash_post', (id, previous) => void told.push(['untrash', id, previous])),
      hooks.addAction('untrashed_post', (id, previous) => void told.push([id, previous])),
      hooks.addAction('rest_after_insert_post', (post, request, creating) => {
        told.push([post.id, request.method, creating])
      }),
    ]
    const { id } = await fired('POST /wp/v2/posts', { title: 'a', status: 'pending' })
    await fired(`PATCH /wp/v2/posts/${id}`, { title: 'b' })
    await site.host.content.posts.update(id, { status: 'trash' })
    await site.host.content.posts.update(id, { status: 'draft' })
    for (const one of undo) one()
    expect(told).to.deep.equal([
      [id, 'a', false, null],
      [id, 'POST', true],
      [id, 'b', true, 'a'],
      [id, 'PATCH', false],
      [id, 'b', true, 'b'],
      [id, 'pending'],
      ['untrash', id, 'pending'],
      [id, 'b', true, 'b'],
      [id, 'pending'],
    ])
  })

  it('fire for added, changed and removed meta of a save, and not for unchanged meta', async () => {
    const { hooks, content } = site.host
    const shown = { showInRest: true, objectSubtype: 'post' }
    const told: unknown[] = []
    const undo = [
      content.registerMeta('post', 'color', { ...shown, single: true }),
      content.registerMeta('post', 'sizes', { ...shown, type: 'integer' }),
      hooks.addAction('added_post_meta', (...args) => void told.push(['added', ...args.slice(1)])),
      hooks.addAction('updated_post_meta', (...args) => void told.push(['updated', ...args.slice(1)])),
      hooks.addAction('deleted_post_meta', (ids, ...args) => void told.push([`deleted ${ids.length}`, ...args])),
    ]
    const { id } = await fired('POST /wp/v2/posts', { title: 'M', meta: { color: 'red', sizes: [1, 2] } })
    await fired(`POST /wp/v2/posts/${id}`, { meta: { color: 'blue', sizes: [1, 3, 4] } })
    await fired(`POST /wp/v2/posts/${id}`, { meta: { color: 'blue' } })
    const first = await site.ask(`GET /wp/v2/posts/${id}`, undefined, admin)
    await content.meta.set('post', id, 'sizes', 1)
    await fired(`POST /wp/v2/posts/${id}`, { meta: { color: null } })
    for (const one of undo) one()
    expect(first.item.meta).to.deep.equal({ color: 'blue', sizes: [1, 3, 4] })
    expect(told).to.deep.equal([
      ['added', id, 'color', 'red'],
      ['added', id, 'sizes', 1],
      ['added', id, 'sizes', 2],
      ['updated', id, 'color', 'blue'],
      ['updated', id, 'sizes', 3],
      ['added', id, 'sizes', 4],
      ['deleted 2', id, 'sizes'],
      ['deleted 1', id, 'color'],
    ])
  })

  it('wp_insert_post_data and rest_pre_insert_post change what is written', async () => {
    const { hooks } = site.host
    const undo = [
      hooks.addFilter('wp_insert_post_data', (data, asked, _raw, update) => ({
        ...data,
        title: `${data.title}, ${update ? 'changed' : 'new'}, ${asked.id ?? 'no id'}, ${data.status}`,
      })),
      hooks.addFilter('rest_pre_insert_post', (prepared) => ({ ...prepared, excerpt: 'by filter' })),
    ]
    const { item } = await site.ask('POST /wp/v2/posts', { title: 'T' }, admin)
    const changed = await site.ask(`POST /wp/v2/posts/${item.id}`, { title: 'U' }, admin)
    for (const one of undo) one()
    expect(toObject(item.title).raw).to.equal('T, new, no id, draft')
    expect(toObject(item.excerpt).raw).to.equal('by filter')
    expect(toObject(changed.item.title).raw).to.equal(`U, changed, ${item.id}, draft`)
  })

  it('title_save_pre, content_save_pre and excerpt_save_pre change the texts that are written, and no others', async () => {
    const { hooks } = site.host
    const asked: string[] = []
    const undo = (['title_save_pre', 'content_save_pre', 'excerpt_save_pre'] as const).map((name) =>
      hooks.addFilter(name, async (text) => {
        asked.push(name)
        return `${text}!`
      }),
    )
    undo.push(hooks.addFilter('wp_insert_post_data', (data) => ({ ...data, title: `${data.title}?` })))
    const { item } = await site.ask('POST /wp/v2/posts', { title: 'T', content: 'C' }, admin)
    const changed = await site.ask(`POST /wp/v2/posts/${item.id}`, { content: 'D' }, admin)
    for (const one of undo) one()
    expect([toObject(item.title).raw, toObject(item.content).raw]).to.deep.equal(['T!?', 'C!'])
    expect(toObject(changed.item.content).raw).to.equal('D!')
    expect(asked).to.deep.equal(['title_save_pre', 'content_save_pre', 'content_save_pre'])
  })

  it('the hooks of terms and comments have WordPress’s names, order and arguments', async () => {
    const told: unknown[] = []
    const names = ['create_term', 'create_category', 'created_term', 'created_category', 'saved_term', 'saved_category']
    names.push('edit_term', 'edit_category', 'edited_term', 'edited_category', 'wp_set_comment_status')
    names.push('transition_comment_status', 'comment_unapproved_comment', 'comment_approved_comment')
    const kept = (arg: unknown) => (typeof arg === 'object' && arg !== null ? Object.keys(arg)[0] : arg)
    const undo = names.map((name) =>
      site.host.hooks.addAction(name, (_id, ...args) => void told.push([name, ...args.map(kept)])),
    )
    const { id } = await site.host.content.terms.insert('category', { name: 'Told' })
    await site.host.content.terms.update(id, { description: 'd' })
    const comment = await site.ask('POST /wp/v2/comments', { post: 1, content: 'Hello' }, admin)
    await fired(`POST /wp/v2/comments/${comment.item.id}`, { status: 'hold' })
    await fired(`POST /wp/v2/comments/${comment.item.id}`, { status: 'approved' })
    for (const one of undo) one()
    expect(told).to.deep.equal([
      ['create_term', id, 'category', 'name'],
      ['create_category', id, 'name'],
      ['created_term', id, 'category', 'name'],
      ['created_category', id, 'name'],
      ['saved_term', id, 'category', false, 'name'],
      ['saved_category', id, false, 'name'],
      ['edit_term', id, 'category', 'description'],
      ['edit_category', id, 'description'],
      ['edited_term', id, 'category', 'description'],
      ['edited_category', id, 'description'],
      ['saved_term', id, 'category', true, 'description'],
      ['saved_category', id, true, 'description'],
      ['wp_set_comment_status', 'hold'],
      ['transition_comment_status', 'approved', 'id'],
      ['comment_unapproved_comment', 'id'],
      ['wp_set_comment_status', 'approve'],
      ['transition_comment_status', 'unapproved', 'id'],
      ['comment_approved_comment', 'id'],
    ])
  })

  for (const name of ['rest_pre_insert_post', 'wp_insert_post_data'] as const) {
    it(`${name} can refuse, and nothing is stored`, async () => {
      const { hooks, content } = site.host
      const before = (await content.posts.query({ statuses: ['draft'] })).total
      const undo = hooks.addFilter(name, () => {
        throw new RestError('no_more_posts', 'No more posts today.', { status: 409 })
      })
      expect(await site.outcome('POST /wp/v2/posts', { title: 'x' }, admin)).to.equal('409 no_more_posts')
      undo()
      expect((await content.posts.query({ statuses: ['draft'] })).total).to.equal(before)
    })
  }

  it('before_delete_post can refuse, and the post stays', async () => {
    const { id } = await fired('POST /wp/v2/posts', { title: 'Stays' })
    const undo = site.host.hooks.addAction('before_delete_post', () => {
      throw new RestError('not_this_one', 'Not this one.', { status: 409 })
    })
    expect(await site.outcome(`DELETE /wp/v2/posts/${id}?force=true`, undefined, admin)).to.equal('409 not_this_one')
    undo()
    expect(await site.outcome(`GET /wp/v2/posts/${id}`, undefined, admin)).to.equal('200')
  })

  it('wp_insert_post_empty_content lets an extension take posts without text', async () => {
    const undo = site.host.hooks.addFilter('wp_insert_post_empty_content', () => false)
    expect(await site.outcome('POST /wp/v2/posts', {}, admin)).to.equal('201')
    undo()
  })
})
