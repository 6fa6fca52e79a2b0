import { expect } from 'chai'
import { createTrashEmptying } from '../../cms/content/empty-trash.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { useOwnSite } from '../wp-v2/own-site.ts'

const DAY = 24 * 60 * 60 * 1000

onEachDatabase('emptying the trash', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let days = 30
  /** Runs the daily job, as if it were that many days later. */
  const run = (later: number) => {
    const { content, database, options } = site.host
    const parts = { content, database, options, log: createLog('silent') }
    return createTrashEmptying({ ...parts, days: () => days, now: () => Date.now() + later * DAY })(
      new AbortController().signal,
    )
  }
  beforeEach(async () => {
    days = 30
    await site.host.options.delete('empty_trash_since')
  })
  const insertPost = (status: 'publish' | 'draft') => site.host.content.posts.insert({ status, title: 'Trains' })
  const insertComment = (postId: number) =>
    site.host.content.comments.insert({
      ...{ postId, parentId: 0, userId: 0, authorName: 'Bob', authorEmail: '', authorUrl: '', authorAddress: '' },
      ...{ userAgent: '', content: 'Words', status: 'approved', type: 'comment', date: '', dateGmt: '' },
    })

  it('deletes posts and comments after the time, and nothing that left the trash', async () => {
    const { posts, comments } = site.host.content
    const published = await insertPost('publish')
    const [trashed, restored] = [await insertPost('draft'), await insertPost('draft')]
    for (const { id } of [trashed, restored]) await posts.update(id, { status: 'trash' })
    await posts.update(restored.id, { status: 'draft' })
    const [old, spam, kept] = await Promise.all([1, 2, 3].map(() => insertComment(published.id)))
    await comments.setStatus(old?.id ?? 0, 'trash')
    await comments.setStatus(spam?.id ?? 0, 'spam')
    await comments.setStatus(kept?.id ?? 0, 'trash')
    await comments.restore(kept?.id ?? 0)

    await run(0)
    await run(29)
    expect(await posts.get(trashed.id)).to.include({ status: 'trash' })
    await run(31)
    expect(await posts.get(trashed.id)).to.equal(undefined)
    expect(await posts.get(restored.id)).to.include({ status: 'draft' })
    expect(await posts.get(published.id)).to.include({ status: 'publish' })
    expect(await comments.get(old?.id ?? 0)).to.equal(undefined)
    expect(await comments.get(spam?.id ?? 0)).to.equal(undefined)
    expect(await comments.get(kept?.id ?? 0)).to.include({ status: 'approved' })
  })

  it('deletes nothing that was trashed before the feature until the time has passed again', async () => {
    const { posts } = site.host.content
    const { id } = await insertPost('draft')
    await posts.update(id, { status: 'trash' })
    await run(100)
    await run(129)
    expect(await posts.get(id)).to.include({ status: 'trash' })
    await run(131)
    expect(await posts.get(id)).to.equal(undefined)
  })

  it('deletes nothing if the setting is 0', async () => {
    const { id } = await insertPost('draft')
    await site.host.content.posts.update(id, { status: 'trash' })
    await run(0)
    days = 0
    await run(1000)
    expect(await site.host.content.posts.get(id)).to.include({ status: 'trash' })
  })

  it('deletes the others if an extension rejects the deletion of one', async () => {
    const { content, hooks } = site.host
    const [first, second] = [await insertPost('draft'), await insertPost('draft')]
    for (const { id } of [first, second]) await content.posts.update(id, { status: 'trash' })
    const undo = hooks.addAction('before_delete_post', (id) => {
      if (id === first.id) throw new Error('This one stays.')
    })
    await run(0)
    await run(31)
    undo()
    expect(await content.posts.get(second.id)).to.equal(undefined)
  })

  it('has a setting, 30 days by default', async () => {
    const admin = await site.signIn('admin', 'administrator')
    expect(site.host.settings.get('host')?.get()).to.include({ emptyTrashDays: 30 })
    const refused = await site.outcome('PUT /host/v1/settings/host', { settings: { emptyTrashDays: -1 } }, admin)
    expect(refused).to.match(/^400/)
  })
})
