import { once } from 'node:events'
import { mock } from 'node:test'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import type { CopilotTables } from '../../../plugins/ai/copilot/tables.ts'
import { AI } from '../ai-plugin.ts'
import type { AskedModel, ProviderServer } from '../provider-server/index.ts'
import { addAdministrator, connectModels, KEY, say, send } from './copilot-site.ts'

describe('a turn of the copilot', () => {
  let site: TestHost
  let models: ProviderServer

  before(async () => {
    site = await createTestHost({ extensions: [AI] })
    models = await connectModels(site)
  })

  after(async () => {
    await site?.close()
    await models?.close()
  })

  const setting = (settings: Readonly<Record<string, unknown>>) =>
    send(site, 'PUT', '/settings', { body: { settings } })

  /** What `POST /generateAiResponse` of a request that is still open can be asked about. */
  async function progress(requestId: string) {
    return (await send(site, 'GET', `/progress?requestId=${requestId}`)).body.data
  }

  describe('is for administrators', () => {
    it('and refuses all others before it looks at what they sent', async () => {
      for (const [method, path] of [
        ['POST', '/generateAiResponse'],
        ['GET', '/progress'],
        ['GET', '/changes'],
        ['POST', '/changes/1/apply'],
        ['POST', '/changes/1/discard'],
        ['GET', '/requests'],
        ['POST', '/cancel'],
        ['GET', '/conversations'],
        ['GET', '/conversations/1'],
        ['DELETE', '/conversations/1'],
      ] as const) {
        const editor = await send(site, method, path, { as: 'editor' })
        expect([editor.status, editor.body.code], path).to.deep.equal([403, 'rest_forbidden'])
        const visitor = await send(site, method, path, { headers: {} })
        expect([visitor.status, visitor.body.code], path).to.deep.equal([401, 'rest_forbidden'])
      }
    })

    it('who have to say something', async () => {
      for (const message of [undefined, '', '  ', 'a\0b', 'x'.repeat(20_001), 7, { role: 'system' }]) {
        const { status, body } = await send(site, 'POST', '/generateAiResponse', { body: { message } })
        expect(status, JSON.stringify(message)).to.equal(400)
        expect(body.code).to.be.oneOf(['rest_missing_callback_param', 'rest_invalid_param'])
      }
    })
  })

  it('offers the abilities that its user may use, and of those that write only those with a preview', async () => {
    const { abilities } = site.host
    const writes = { label: '', description: '', category: 'content', readonly: false, permission: 'read' } as const
    const output = z.object({})
    const undo = [
      abilities.register({ ...writes, name: 'test/blindly', output, execute: () => ({}) }),
      abilities.register({
        ...writes,
        name: 'test/not-for-you',
        permission: 'fly',
        output,
        readonly: true,
        execute: () => ({}),
      }),
    ]
    models.script('Hello.')
    await say(site, 'Hello')
    for (const remove of undo) remove()
    expect(question().tools).to.include.members(['content__search', 'content__read-post', 'content__edit-post'])
    expect(question().tools).not.to.include.oneOf(['test__blindly', 'test__not-for-you'])
    expect(question().instructions).to.contain('only propose a change')
  })

  describe('keeps conversations, each user their own', () => {
    it('and passes earlier messages and the outcome of changes to the model', async () => {
      models.script({ calls: [{ name: 'content__draft-post', input: { title: 'A name' } }] }, 'How about **A name**?')
      const first = (await say(site, 'A post, please 👩‍👩‍👧 שלום')).body.data
      await send(site, 'POST', `/changes/${first.changes[0].id}/discard`)
      models.script('As you like.')
      const second = (await say(site, 'Rather not.', { conversationId: first.conversationId })).body.data

      expect(second.conversationId).to.equal(first.conversationId)
      const { prompt } = question()
      expect(prompt).to.match(/A post, please 👩‍👩‍👧 שלום[\s\S]+How about \*\*A name\*\*\?[\s\S]+Rather not\./)
      expect(prompt).to.contain('discarded: Draft “A name”.')

      const { data } = (await send(site, 'GET', `/conversations/${first.conversationId}`)).body
      expect(data.messages.map(({ role, text }: Record<string, string>) => [role, text])).to.deep.equal([
        ['user', 'A post, please 👩‍👩‍👧 שלום'],
        ['assistant', 'How about **A name**?'],
        ['user', 'Rather not.'],
        ['assistant', 'As you like.'],
      ])
      const list = (await send(site, 'GET', '/conversations')).body.data
      expect(list.items[0]).to.include({ id: first.conversationId, title: 'A post, please 👩‍👩‍👧 שלום' })
    })

    it('and shows them to no other users', async () => {
      models.script('Hello.')
      const { conversationId } = (await say(site, 'Between us')).body.data
      const { headers } = await addAdministrator(site, 'other')
      for (const [method, path, body] of [
        ['GET', `/conversations/${conversationId}`],
        ['DELETE', `/conversations/${conversationId}`],
        ['POST', '/generateAiResponse', { message: 'What did they say?', conversationId }],
      ] as const) {
        const answer = await send(site, method, path, { headers, body })
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'conversation_not_found'])
      }
      expect((await send(site, 'GET', '/conversations', { headers })).body.data.total).to.equal(0)
    })

    it('until they are removed, with pending changes', async () => {
      models.script({ calls: [{ name: 'content__draft-post', input: { title: 'Open' } }] }, 'Prepared.')
      const { conversationId, changes } = (await say(site, 'A draft')).body.data
      expect((await send(site, 'DELETE', `/conversations/${conversationId}`)).status).to.equal(200)
      expect((await send(site, 'GET', `/conversations/${conversationId}`)).status).to.equal(404)
      expect((await send(site, 'POST', `/changes/${changes[0].id}/apply`)).status).to.equal(404)
    })

    it('until their user is removed, or they are inactive for 90 days; the audit log of decided changes remains', async () => {
      models.always(({ toolResults }) =>
        toolResults.length > 0 ? 'Prepared.' : { calls: [{ name: 'content__draft-post', input: { title: 'Kept' } }] },
      )
      const decided = (await say(site, 'Decide on this')).body.data
      await send(site, 'POST', `/changes/${decided.changes[0].id}/discard`)

      const rows = site.host.database.db.withTables<CopilotTables>().selectFrom('ai_conversations')
      const { id, headers } = await addAdministrator(site, 'leaver')
      await say(site, 'Soon gone', {}, { headers })
      expect(await rows.where('user_id', '=', id).select('id').execute()).to.have.length(1)
      await site.host.auth.users.delete(id)
      expect(await rows.where('user_id', '=', id).select('id').execute()).to.have.length(0)

      for (const [days, kept] of [
        [89, 200],
        [91, 404],
        [366, 404],
      ] as const) {
        mock.timers.enable({ apis: ['Date'], now: Date.now() + days * 86_400_000 })
        try {
          await site.host.jobs.runDue()
        } finally {
          mock.timers.reset()
        }
        expect((await send(site, 'GET', `/conversations/${decided.conversationId}`)).status).to.equal(kept)
      }
      const { items } = (await send(site, 'GET', '/changes?status=discarded')).body.data
      expect(items.map(({ id }: { id: number }) => id)).to.include(decided.changes[0].id)
      expect((await send(site, 'GET', '/changes?status=proposed')).body.data.total).to.equal(0)
      expect((await send(site, 'GET', '/audit-log')).body.data.total, 'the log is kept for a year').to.equal(0)
    })
  })

  describe('reports its progress', () => {
    it('with its step and the text so far, and for no other users', async () => {
      const { promise: hold, resolve: go } = Promise.withResolvers<void>()
      models.script(
        { calls: [{ name: 'content__search', input: { query: 'hello' } }] },
        { text: 'One two three four', hold },
      )
      const answer = say(site, 'Search', { requestId: 'request-1' })
      const running = await until(async () => {
        const now = await progress('request-1')
        return now?.partial ? now : undefined
      })
      expect(running).to.include({ requestId: 'request-1', state: 'running', step: 2, maxSteps: 12 })
      expect('One two three four').to.match(new RegExp(`^${running.partial}`))
      expect(running.partial).not.to.equal('One two three four')

      const twice = await say(site, 'Search', { requestId: 'request-1' })
      expect([twice.status, twice.body.code]).to.deep.equal([409, 'ai_request_in_progress'])
      expect((await send(site, 'GET', '/progress?requestId=request-2')).body.code).to.equal('request_not_found')
      const { headers } = await addAdministrator(site, 'curious')
      const asked = await send(site, 'GET', '/progress?requestId=request-1', { headers })
      expect([asked.status, asked.body.code]).to.deep.equal([404, 'request_not_found'])
      expect((await send(site, 'GET', '/progress')).status).to.equal(400)

      go()
      expect((await answer).body.data.reply).to.equal('One two three four')
      expect(await progress('request-1')).to.deep.include({
        state: 'complete',
        tool: null,
        partial: 'One two three four',
      })
    })

    it('under any name that the client gives it, but no address', async () => {
      models.script('Hello.')
      expect((await say(site, 'Hello', { requestId: '7' })).status).to.equal(200)
      expect(await progress('7')).to.include({ requestId: '7', state: 'complete' })
      for (const requestId of ['', 'a/b', 'x'.repeat(65), 7])
        expect((await say(site, 'Hello', { requestId })).status, String(requestId)).to.equal(400)
    })

    it('and that it failed', async () => {
      models.script({ status: 401, message: 'Incorrect API key provided: sk-secret' })
      const { status, body } = await say(site, 'Hello', { requestId: 'request-3' })
      expect([status, body.code]).to.deep.equal([502, 'ai_provider_auth'])
      expect(await progress('request-3')).to.include({ state: 'failed' })
    })
  })

  it('ends when the client leaves, and leaves nothing behind', async () => {
    models.script({ calls: [{ name: 'content__draft-post', input: { title: 'Never shown' } }] }, { hang: true })
    const leave = new AbortController()
    const { headers } = await addAdministrator(site, 'hasty')
    const answer = fetch(`${site.url}/wp-json/ai/v1/generateAiResponse`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ message: 'A draft', requestId: 'request-4' }),
      signal: leave.signal,
    }).catch(() => 'left')
    const hanging = await until(async () => models.asked[1])
    leave.abort()
    expect(await answer).to.equal('left')
    if (!hanging.left.aborted) await once(hanging.left, 'abort')

    const now = (path: string) => send(site, 'GET', path, { headers }).then(({ body }) => body.data)
    await until(async () => (await now('/progress?requestId=request-4')).state === 'cancelled')
    expect((await now('/conversations')).total).to.equal(0)
    expect((await now('/changes')).total).to.equal(0)
    const log = await until(async () => {
      const entry = (await send(site, 'GET', '/audit-log?perPage=1')).body.data.items[0]
      return entry.outcome === 'cancelled' ? entry : undefined
    })
    expect(log).to.include({ event: 'turn', summary: 'A draft', conversationId: null })
  })

  describe('in the background', () => {
    it('responds immediately, continues without its client, and returns the reply with its progress', async () => {
      const { promise: hold, resolve: go } = Promise.withResolvers<void>()
      const draft = { calls: [{ name: 'content__draft-post', input: { title: 'Background' } }] }
      models.script(draft, { text: 'Prepared for you', hold })
      const begun = await say(site, 'A draft', { requestId: 'background-1', background: true, screen: 'Posts' })
      expect([begun.status, begun.body.data]).to.deep.equal([202, { requestId: 'background-1', state: 'running' }])
      await until(async () => (await progress('background-1')).partial !== '')
      expect(question().prompt).to.match(/I am viewing:\n[\s\S]+Posts/)

      // A page that was loaded anew knows no id.
      const { items } = (await send(site, 'GET', '/requests')).body.data
      expect(items[0]).to.include({ requestId: 'background-1', state: 'running', message: 'A draft', step: 2 })
      const { headers } = await addAdministrator(site, 'onlooker')
      expect((await send(site, 'GET', '/requests', { headers })).body.data.items).to.deep.equal([])

      go()
      const done = await until(async () => {
        const now = await progress('background-1')
        return now.state === 'complete' && now
      })
      expect(done.answer).to.deep.include({ reply: 'Prepared for you', truncated: false })
      expect(done.answer.changes[0].after.title).to.equal('Background')
      const { data } = (await send(site, 'GET', `/conversations/${done.answer.conversationId}`)).body
      expect(data.title).to.equal('A draft')
      expect(done.answer.changes[0].messageId).to.equal(data.messages[1].id)
      expect(data.messages[1].steps).to.deep.equal([{ tool: 'content/draft-post', summary: 'Draft “Background”.' }])
    })

    it('reports why it failed', async () => {
      models.script({ status: 401 })
      expect((await say(site, 'Hello', { requestId: 'background-2', background: true })).status).to.equal(202)
      const failed = await until(async () => {
        const now = await progress('background-2')
        return now.state === 'failed' && now
      })
      expect(failed).to.include({ answer: null })
      expect(failed.error.code).to.equal('ai_provider_auth')
      const ended = await send(site, 'POST', '/cancel', { body: { requestId: 'background-2' } })
      expect([ended.status, ended.body.code]).to.deep.equal([409, 'request_not_running'])
    })

    it('ends when it is canceled, even while a request waits for it, and leaves nothing behind', async () => {
      const { total } = (await send(site, 'GET', '/conversations')).body.data
      models.always({ hang: true })
      await say(site, 'A draft', { requestId: 'background-3', background: true })
      const waiting = say(site, 'A draft', { requestId: 'waiting' })
      await until(async () => models.asked.length === 2)
      const { headers } = await addAdministrator(site, 'spoilsport')
      const others = await send(site, 'POST', '/cancel', { headers, body: { requestId: 'waiting' } })
      expect([others.status, others.body.code]).to.deep.equal([404, 'request_not_found'])
      for (const requestId of ['background-3', 'waiting']) {
        expect((await send(site, 'POST', '/cancel', { body: { requestId } })).status).to.equal(200)
        await until(async () => (await progress(requestId)).state === 'cancelled')
      }
      expect((await waiting).body.code).to.equal('ai_request_cancelled')
      expect((await send(site, 'GET', '/conversations')).body.data.total).to.equal(total)
    })
  })

  it('continues after unknown tools, invalid arguments and rejected calls', async () => {
    models.script(
      { calls: [{ name: 'content__delete-everything', input: {} }] },
      { calls: [{ name: 'content__read-post', input: '{"id": ' }] },
      { calls: [{ name: 'content__read-post', input: { id: 'one' } }] },
      { calls: [{ name: 'content__read-post', input: { id: 987_654 } }] },
      'I could not find it.',
    )
    const { status, body } = await say(site, 'Read a post')
    expect(status).to.equal(200)
    expect(body.data.reply).to.equal('I could not find it.')
    expect(question().toolResults.at(-2)).to.contain('ability_invalid_input')
    expect(question().toolResults.at(-1)).to.contain('Error (post_not_found): Post not found.')
    expect(body.data.steps.at(-1)).to.deep.equal({
      tool: 'content/read-post',
      input: { id: 987_654 },
      summary: 'Read a post: Post not found.',
    })
  })

  it('cuts results that are too long, between characters', async () => {
    // In one of the two the limit is in the middle of a character.
    for (const start of ['x', 'xx']) {
      const content = start + '😀'.repeat(60_000)
      const { id } = await site.host.content.posts.insert({ title: 'Long', content, status: 'publish' })
      models.script({ calls: [{ name: 'content__read-post', input: { id } }] }, 'Long indeed.')
      await say(site, 'Read it')
      const result = question().toolResults.at(-1) ?? ''
      expect(result.length).to.be.within(39_000, 41_000)
      expect(result).to.match(/😀\n\[… \d+ more characters truncated\]\n<\/data-/)
    }
  })

  it('shows the model the posts that the user mentions', async () => {
    const { id } = await site.host.content.posts.insert({ title: 'Mentioned', content: 'About salt', status: 'draft' })
    models.script('It is about salt.')
    await say(site, 'What is it about?', { context: [{ id }, { id }] })
    expect(question().prompt.match(/About salt/g)).to.have.length(1)
    const unknown = await say(site, 'And this?', { context: [{ id: 987_654 }] })
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'post_not_found'])
  })

  it('says what it did where the model has nothing to say, and fails where it did nothing at all', async () => {
    models.script({ calls: [{ name: 'content__draft-post', input: { title: 'Silent' } }] }, '')
    expect((await say(site, 'A draft')).body.data.reply).to.equal('* Draft “Silent”.')
    models.script({ calls: [{ name: 'content__search', input: { query: 'salt' } }] }, '')
    expect((await say(site, 'Find it')).body.data.reply).to.match(
      /^I stopped without an answer\.[\s\S]+Steps so far:\n\n\* Search$/,
    )
    models.script('')
    const { status, body } = await say(site, 'Hello')
    expect([status, body.code]).to.deep.equal([502, 'ai_provider_error'])
  })

  it('prepares nothing twice, and nothing that would change nothing', async () => {
    const { id } = await site.host.content.posts.insert({ title: 'The same', status: 'publish' })
    const again = { name: 'content__edit-post', input: { id, title: 'Another' } }
    const same = { name: 'content__edit-post', input: { id, title: 'The same' } }
    models.script({ calls: [again] }, { calls: [again] }, { calls: [same] }, 'Prepared.')
    const { changes } = (await say(site, 'Change it')).body.data
    expect(changes).to.have.length(1)
    expect(changes[0].after).to.deep.equal({ title: 'Another' })
  })

  it('needs a provider', async () => {
    await setting({ openaiApiKey: '' })
    const { status, body } = await say(site, 'Hello')
    await setting({ openaiApiKey: KEY })
    expect([status, body.code]).to.deep.equal([409, 'ai_no_provider'])
  })

  /** The last that a model was asked. */
  function question(): AskedModel {
    const asked = models.asked.at(-1)
    if (!asked) throw new Error('No model was asked.')
    return asked
  }
})

/** Asks until there is an answer. */
async function until<Found>(look: () => Promise<Found | undefined | false>): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
