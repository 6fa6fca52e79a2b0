/** A morning with the copilot on a site that came from WordPress. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { toGmt } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import type { CopilotTables } from '../../../plugins/ai/copilot/tables.ts'
import { openImportedSite } from '../../seo/seo-site.ts'
import { AI } from '../ai-plugin.ts'
import type { ProviderServer } from '../provider-server/index.ts'
import { addAdministrator, connectModels, lastResult, say, send } from './copilot-site.ts'

const DESCRIPTION = '_seo_description'
const STATUSES = ['publish', 'draft', 'pending', 'private', 'future']

describe('a session with the copilot', () => {
  let site: TestHost
  let models: ProviderServer

  before(async () => {
    site = await openImportedSite({ extensions: [AI] })
    models = await connectModels(site)
  })

  after(async () => {
    await site?.close()
    await models?.close()
  })

  /** Every post as it is stored, by id. */
  async function stored() {
    const posts = await site.host.content.posts.query({ types: ['post', 'page'], statuses: STATUSES, limit: 100 })
    const entries = posts.items.map(async (post) => {
      const description = (await site.host.content.meta.get('post', post.id, DESCRIPTION)) ?? ''
      return [post.id, { ...post, description }] as const
    })
    return new Map(await Promise.all(entries))
  }

  /** Has the copilot propose one call of an ability. */
  async function propose(name: string, input: unknown) {
    models.script({ calls: [{ name, input }] }, 'Prepared.')
    const { body } = await say(site, 'Please prepare it.')
    expect(body.data.changes).to.have.length(1)
    return body.data.changes[0]
  }

  it('looks for posts without a description, and proposes one for three of them', async () => {
    const before = await stored()
    const undescribed = 'seo/list-posts-without-description'
    models.script(
      { calls: [{ name: undescribed.replace('/', '__'), input: { perPage: 3 } }] },
      (asked) => ({
        calls: lastResult(asked).items.map(({ postId }: { postId: number }) => ({
          name: 'content__read-post',
          input: { id: postId },
        })),
      }),
      (asked) => ({
        calls: asked.toolResults.slice(1).map((result) => {
          const { id, title, meta } = lastResult({ ...asked, toolResults: [result] })
          expect(meta[DESCRIPTION]).to.equal('')
          return { name: 'content__edit-post', input: { id, meta: { [DESCRIPTION]: `All about ${title}` } } }
        }),
      }),
      'I have prepared **three** descriptions.',
    )
    const { status, body } = await say(site, 'Which posts have no description? Write one for three of them.')
    expect(status).to.equal(200)
    const { data } = body

    expect(data.reply).to.equal('I have prepared **three** descriptions.')
    expect(data.steps.map(({ tool }: { tool: string }) => tool)).to.deep.equal([
      undescribed,
      ...Array(3).fill('content/read-post'),
      ...Array(3).fill('content/edit-post'),
    ])
    expect(data.usage).to.deep.equal({ inputTokens: 40, outputTokens: 20, totalTokens: 60 })
    expect(data.changes).to.have.length(3)
    for (const change of data.changes) {
      const { title } = change.target
      expect(change).to.include({ kind: 'content/edit-post', status: 'proposed', conversationId: data.conversationId })
      expect(change.before).to.deep.equal({ [`meta.${DESCRIPTION}`]: '' })
      expect(change.after).to.deep.equal({ [`meta.${DESCRIPTION}`]: `All about ${title}` })
      expect(change.summary).to.contain(title)
    }

    // Nothing happens before somebody agrees.
    expect(await stored()).to.deep.equal(before)

    for (const { id } of data.changes) {
      const applied = await send(site, 'POST', `/changes/${id}/apply`)
      expect(applied.status).to.equal(200)
      expect(applied.body.data).to.include({ id, status: 'applied' })
    }
    // And then exactly what was shown.
    const after = await stored()
    for (const { target } of data.changes) {
      expect(after.get(target.id)).to.include({ description: `All about ${target.title}` })
      after.delete(target.id)
      before.delete(target.id)
    }
    expect(before.size).to.be.greaterThan(0)
    expect(after).to.deep.equal(before)
  })

  it('does not apply a proposal to what has been changed since', async () => {
    const { id: post } = await site.host.content.posts.insert({ title: 'Salt', status: 'publish', content: 'Old' })
    const change = await propose('content__edit-post', { id: post, title: 'Sea salt' })
    await site.host.content.posts.update(post, { title: 'Pepper' })

    const stale = await send(site, 'POST', `/changes/${change.id}/apply`)
    expect(stale.status).to.equal(409)
    expect(stale.body.code).to.equal('change_stale')
    expect(stale.body.data.current).to.deep.equal({ title: 'Pepper' })
    expect((await site.host.content.posts.get(post))?.title).to.equal('Pepper')

    // What else was changed does not matter, and what was there once may be there again.
    await site.host.content.posts.update(post, { title: 'Salt', content: 'New' })
    expect((await send(site, 'POST', `/changes/${change.id}/apply`)).status).to.equal(200)
    expect(await site.host.content.posts.get(post)).to.include({ title: 'Sea salt', content: 'New' })
  })

  it('does not apply what would do something else than was shown', async () => {
    let shown = { id: 1, after: 'red' }
    const undo = site.host.abilities.register({
      ...{ name: 'test/paint', label: 'Paint', description: '', category: 'site', permission: 'read', readonly: false },
      output: z.object({}),
      execute: () => ({}),
      preview: () => {
        const target = { type: 'wall', id: shown.id, title: 'A wall' }
        return { target, summary: 'Paint a wall.', before: { color: 'white' }, after: { color: shown.after } }
      },
    })
    const change = await propose('test__paint', {})
    const asShown = shown
    for (const other of [
      { id: 1, after: 'green' },
      { id: 2, after: 'red' },
    ]) {
      shown = other
      expect((await send(site, 'POST', `/changes/${change.id}/apply`)).body.code).to.equal('change_stale')
    }
    shown = asShown
    expect((await send(site, 'POST', `/changes/${change.id}/apply`)).status).to.equal(200)
    undo()
  })

  it('applies a change once, however often and by how many it is asked to', async () => {
    const change = await propose('content__draft-post', { title: 'Only one of these' })
    const answers = await Promise.all([1, 2, 3].map(() => send(site, 'POST', `/changes/${change.id}/apply`)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    const again = await send(site, 'POST', `/changes/${change.id}/apply`)
    expect(again.status).to.equal(409)
    expect(again.body.code).to.equal('change_settled')
    const drafts = await site.host.content.posts.query({ statuses: ['draft'], search: 'Only one of these' })
    expect(drafts.total).to.equal(1)
  })

  it('drops a change that is turned down', async () => {
    const change = await propose('content__draft-post', { title: 'Not wanted' })
    const discarded = await send(site, 'POST', `/changes/${change.id}/discard`)
    expect(discarded.body.data).to.include({ id: change.id, status: 'discarded' })
    expect((await send(site, 'POST', `/changes/${change.id}/apply`)).status).to.equal(409)
    expect((await send(site, 'POST', `/changes/${change.id}/discard`)).status).to.equal(409)
    expect((await site.host.content.posts.query({ statuses: ['draft'], search: 'Not wanted' })).total).to.equal(0)
  })

  it('answers three messages of one user at a time, and one of each conversation', async () => {
    const { promise: hold, resolve: go } = Promise.withResolvers<void>()
    models.script('Hello.')
    const { conversationId } = (await say(site, 'Hello')).body.data
    models.always({ text: 'One moment', hold })
    const answers = [say(site, 'And?', { conversationId })]
    while (models.asked.length < 1) await wait(10)
    expect((await say(site, 'So?', { conversationId })).body.code).to.equal('ai_request_in_progress')
    answers.push(say(site, 'One'), say(site, 'Two'))
    while (models.asked.length < 3) await wait(10)
    expect((await say(site, 'Three')).body.code).to.equal('ai_request_in_progress')
    go()
    for (const { status } of await Promise.all(answers)) expect(status).to.equal(200)
  })

  it('begins what it remembers of a long conversation with the user', async () => {
    models.script('Long '.repeat(1200))
    const { conversationId } = (await say(site, `Remember ${'this '.repeat(3900)}`)).body.data
    models.script('And short.')
    await say(site, 'What did you say?', { conversationId })
    expect(models.asked[0]?.prompt).to.equal('What did you say?')
  })

  it('lets go of a change whose process died while it was applied', async () => {
    const { id } = await propose('content__draft-post', { title: 'Half done' })
    const changes = site.host.database.db.withTables<CopilotTables>().updateTable('ai_changes').where('id', '=', id)
    await changes.set({ status: 'applying', settled_gmt: toGmt(Date.now() - 9 * 60_000) }).execute()
    for (const what of ['apply', 'discard']) {
      const under = await send(site, 'POST', `/changes/${id}/${what}`)
      expect(under.body).to.include({ code: 'change_settled', message: 'The change is already being applied.' })
    }
    await changes.set({ settled_gmt: toGmt(Date.now() - 11 * 60_000) }).execute()
    expect((await send(site, 'POST', `/changes/${id}/discard`)).body.data).to.include({ status: 'discarded' })
  })

  it('finds the changes that wait without reading those that were decided', async () => {
    const { db } = site.host.database
    const plan = sql<{ detail: string }>`explain query plan
      select * from ai_changes where user_id = 1 and status = 'proposed' order by id desc limit 10`
    const steps = (await plan.execute(db)).rows.map(({ detail }) => detail)
    expect(steps).to.deep.equal(['SEARCH ai_changes USING INDEX ai_changes_status (user_id=? AND status=?)'])
  })

  it('shows changes only to the user who asked for them, newest first', async () => {
    const change = await propose('content__draft-post', { title: 'Mine' })
    const list = await send(site, 'GET', '/changes?status=proposed&perPage=1')
    expect(list.body.data.items).to.deep.equal([change])

    const { headers } = await addAdministrator(site, 'colleague')
    const theirs = await send(site, 'GET', '/changes', { headers })
    expect(theirs.body.data.total).to.equal(0)
    for (const action of ['apply', 'discard']) {
      const refused = await send(site, 'POST', `/changes/${change.id}/${action}`, { headers })
      expect(refused.status).to.equal(404)
      expect(refused.body.code).to.equal('change_not_found')
    }
  })

  it('lets an editor apply nothing, also not what was proposed while they were an administrator', async () => {
    const { id, headers } = await addAdministrator(site, 'demoted')
    const change = { name: 'core__change-settings', input: { changes: { title: 'Taken over' } } }
    models.script({ calls: [change] }, 'Prepared.')
    const { body } = await say(site, 'Another title, please.', {}, { headers })
    const apply = `/changes/${body.data.changes[0].id}/apply`
    const { title } = site.host.content.siteSettings()

    await site.host.auth.users.update(id, { roles: ['editor'] })
    const refused = await send(site, 'POST', apply, { headers })
    expect(refused.status).to.equal(403)
    expect(refused.body.code).to.equal('rest_forbidden')
    expect(site.host.content.siteSettings().title).to.equal(title)

    await site.host.auth.users.update(id, { roles: ['administrator'] })
    expect((await send(site, 'POST', apply, { headers })).status).to.equal(200)
    expect(site.host.content.siteSettings().title).to.equal('Taken over')
    await site.host.content.updateSiteSettings({ title })
  })

  it('asks for the permission of each change again when it is applied', async () => {
    const change = await propose('content__draft-post', { title: 'Without permission' })
    const undo = site.host.hooks.addFilter('user_has_cap', (held) => ({ ...held, edit_posts: false }))
    const refused = await send(site, 'POST', `/changes/${change.id}/apply`)
    undo()
    expect(refused.status).to.equal(403)
    expect(refused.body.code).to.equal('rest_ability_cannot_execute')
    // It waits for who may.
    expect((await send(site, 'POST', `/changes/${change.id}/apply`)).status).to.equal(200)
  })

  it('writes down who let it do what', async () => {
    const change = await propose('content__draft-post', { title: 'For the record' })
    await send(site, 'POST', `/changes/${change.id}/discard`)
    const { body } = await send(site, 'GET', '/audit-log?perPage=3')
    const { id: userId, displayName } = (await site.host.auth.users.getByLogin('test-administrator')) ?? {}
    const common = { userId, userName: displayName, conversationId: change.conversationId, outcome: 'ok' }
    const about = { changeId: change.id, ability: 'content/draft-post', summary: 'Draft “For the record”.' }
    expect(body.data.items.map(({ id, createdAt, ...entry }: Record<string, unknown>) => entry)).to.deep.equal([
      { ...common, ...about, event: 'discard' },
      { ...common, ...about, event: 'propose' },
      { ...common, event: 'turn', changeId: null, ability: '', summary: 'Please prepare it.' },
    ])
    const turns = (await send(site, 'GET', '/audit-log?event=turn&perPage=1')).body.data
    expect(turns.items[0]).to.include({ event: 'turn' })
    expect(turns.total).to.be.lessThan(body.data.total)
    expect((await send(site, 'GET', '/audit-log', { as: 'editor' })).status).to.equal(403)
  })
})
