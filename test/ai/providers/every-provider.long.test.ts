import { once } from 'node:events'
import { expect } from 'chai'
import { z } from 'zod'
import { PIXEL } from '../../seo/pixel.ts'
import type { Turn } from '../provider-server/index.ts'
import { KEY, type ModelsSite, openModelsSite } from './models-site.ts'

/** What each of them calls the usual one. */
const MODELS = {
  openai: 'gpt-5.4-mini',
  anthropic: 'claude-sonnet-5-5',
  google: 'gemini-3.8-flash',
  compatible: 'default',
} as const

/** Without a pause before the next try. */
const AT_ONCE = { 'Retry-After': '0' }

const PROVIDERS = ['openai', 'anthropic', 'google', 'compatible'] as const

const CALL = { calls: [{ name: 'content__search', input: { query: 'hello' } }] }

/** Streams of which the end got lost. */
const CUT: Readonly<Record<(typeof PROVIDERS)[number], Turn>> = {
  openai: events(
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Salt' },
  ),
  anthropic: events(
    { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Salt' } },
  ),
  google: events({ candidates: [{ content: { role: 'model', parts: [{ text: 'Salt' }] }, index: 0 }] }),
  compatible: events({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'Salt' } }] }),
}

function events(...data: readonly unknown[]): Turn {
  return { raw: data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') }
}

describe('Providers: each over its own protocol', () => {
  let opened: ModelsSite

  before(async () => {
    opened = await openModelsSite()
  })
  after(() => opened.close())

  const title = () => opened.post('/generate-title', { brief: 'About salt' })

  /** The answer to a request for a title when the provider says this. */
  async function refusal(...turns: readonly Turn[]) {
    opened.models.script(...turns)
    const answer = await title()
    const text = await answer.text()
    expect(text, 'nothing of what the provider says').not.to.include(KEY)
    const { code, data } = JSON.parse(text)
    expect(answer.status).to.equal(data.status)
    return {
      code,
      status: answer.status,
      retryAfter: answer.headers.get('Retry-After'),
      asked: opened.models.asked.length,
    }
  }

  for (const provider of PROVIDERS) {
    const model = MODELS[provider]
    describe(provider, () => {
      before(() => opened.connect(provider))

      it('says whether its key works', async () => {
        opened.models.script('ready')
        const answer = await opened.post(`/providers/${provider}/test`, {})
        const data = { provider, model, usage: { inputTokens: 10, outputTokens: 5 } }
        expect(await answer.json()).to.have.deep.property('data', data)
        expect(JSON.stringify(opened.models.asked[0]?.headers), 'where it belongs').to.include(KEY)
      })

      it('answers in words', async () => {
        opened.models.script('<p>Salz ist älter als Brot 🧂.</p>')
        const answer = await opened.post('/generate-content', { brief: 'About salt' })
        expect(await answer.json()).to.have.nested.property('data.content', '<p>Salz ist älter als Brot 🧂.</p>')
        expect(opened.models.asked[0]).to.deep.include({ provider, model, isStream: false })
      })

      it('answers with an object that fits a schema', async () => {
        opened.models.script({ object: { titles: ['Salt', 'White gold'] } })
        const data = { title: 'Salt', alternatives: ['White gold'] }
        expect(await (await title()).json()).to.have.deep.property('data', data)
        expect(JSON.stringify(opened.models.asked[0]?.body)).to.include('Titles, best first.')
      })

      it('works with tools, one step after the other', async () => {
        opened.models.script(CALL, 'There is one post.')
        const answer = await (await opened.post('/generateAiResponse', { message: 'What is there?' })).json()
        expect(answer).to.have.nested.property('data.reply', 'There is one post.')
        expect(answer, 'of all steps').to.have.nested.property('data.usage.inputTokens', 20)
        expect(opened.models.asked.map(({ isStream }) => isStream)).to.deep.equal([true, true])
        expect(opened.models.asked[0]?.tools).to.include('content__search')
        expect(opened.models.asked[1]?.toolResults.join()).to.include('Hello world!')
      })

      it('has no tools any more at the last of its steps', async () => {
        await opened.put({ copilotMaxSteps: 3 })
        opened.models.always(({ tools }) => (tools.length > 0 ? CALL : 'That is all I found.'))
        const answer = await opened.post('/generateAiResponse', { message: 'Go on for ever' })
        expect(await answer.json()).to.have.nested.property('data.reply', 'That is all I found.')
        expect(opened.models.asked).to.have.length(3)
        if (provider === 'anthropic')
          expect(opened.models.asked[2]?.body, 'it refuses calls of tools that it is not told of').to.have.property(
            'tools',
          )
      })

      it('handles calls of unknown tools, invalid JSON and endless tool calls', async () => {
        const wrong = {
          calls: [
            { name: 'no_such_tool', input: {} },
            { name: 'content__search', input: '{"query": ' },
          ],
        }
        opened.models.script(wrong, 'I was wrong.')
        const corrected = await opened.post('/generateAiResponse', { message: 'Hello' })
        expect(await corrected.json()).to.have.nested.property('data.reply', 'I was wrong.')

        opened.models.always(CALL)
        const endless = await opened.post('/generateAiResponse', { message: 'Hello' })
        const stopped = await endless.json()
        expect(stopped, JSON.stringify(stopped)).to.have.nested.property('data.truncated', true)
        expect(stopped)
          .to.have.nested.property('data.reply')
          .that.matches(/^\* Search.*\n\nI reached the limit of 3 steps\./s)
        expect(opened.models.asked).to.have.length(3)
      })

      it('says so where it stopped before its end', async () => {
        opened.models.script(
          { text: '<p>Salt is</p>', finish: 'length' },
          { text: 'Salt is', finish: 'length' },
          CUT[provider],
        )
        const content = await opened.post('/generate-content', { brief: 'About salt' })
        expect(await content.json()).to.have.deep.property('data', { content: '<p>Salt is</p>', truncated: true })
        const reply = await opened.post('/generateAiResponse', { message: 'What is salt?' })
        expect(await reply.json())
          .to.have.property('data')
          .that.includes({ reply: 'Salt is', truncated: true })

        const cut = await (await opened.post('/generateAiResponse', { message: 'What is salt?' })).json()
        if (provider === 'compatible') expect(cut).to.include({ code: 'ai_provider_error' })
        else
          expect(cut, 'the connection ended').to.have.property('data').that.includes({ reply: 'Salt', truncated: true })
      })

      it('is asked again after what passes, and not after what does not', async () => {
        opened.models.script(
          { status: 503, headers: AT_ONCE },
          { status: 429, headers: AT_ONCE },
          { object: { titles: ['Salt'] } },
        )
        expect((await title()).status).to.equal(200)
        expect(opened.models.asked).to.have.length(3)

        const wrongKey = { status: 401, message: `Incorrect API key provided: ${KEY}` }
        expect(await refusal(wrongKey)).to.include({ status: 502, code: 'ai_provider_auth', asked: 1 })
        const broken = { status: 500, message: `Failed for ${KEY}`, headers: AT_ONCE }
        expect(await refusal(broken, broken, broken)).to.include({ status: 502, code: 'ai_provider_error', asked: 3 })
        const busy = { status: 429, headers: { 'Retry-After': '40' } }
        expect(await refusal(busy)).to.include({
          status: 429,
          code: 'rest_too_many_requests',
          retryAfter: '40',
          asked: 1,
        })
      })

      it('may refuse, or return an unreadable response', async () => {
        expect(await refusal({ text: 'I can not help.', finish: 'refused' })).to.include({
          ...{ status: 422, code: 'ai_content_refused' },
        })
        expect(await refusal({ raw: '{"choices": [{"mess' })).to.include({ status: 502, code: 'ai_provider_error' })
        expect(await refusal({ object: { titles: [] } })).to.include({ status: 502, code: 'ai_provider_error' })
      })

      it('is aborted when the client has disconnected', async () => {
        opened.models.script({ hang: true })
        const client = new AbortController()
        const leaving = opened
          .postUntil(client.signal, '/generate-title', { brief: 'About salt' })
          .catch(({ name }) => name)
        while (!opened.models.asked[0]) await new Promise((resolve) => setTimeout(resolve, 5))
        const { left } = opened.models.asked[0]
        client.abort()
        expect(await leaving).to.equal('AbortError')
        if (!left.aborted) await once(left, 'abort')
      })
    })
  }

  it('draws where the provider has a model for it', async () => {
    for (const provider of ['openai', 'google', 'compatible'] as const) {
      await opened.connect(provider, { imageModel: provider === 'compatible' ? 'flux' : '' })
      opened.models.script({ object: { prompt: 'A heap of salt', alt: 'Salt.' } }, { image: PIXEL })
      const answer = await opened.post('/generate-featured-image', { brief: 'About salt' })
      expect(await answer.json(), provider).to.have.nested.property('data.alt', 'Salt.')
      expect(opened.models.asked[1]).to.include({ provider, kind: 'image', prompt: 'A heap of salt' })
    }
  })

  it('compares texts where the provider has a model for it', async () => {
    const usual = { openai: 'text-embedding-3-small', google: 'gemini-embedding-2', compatible: 'nomic-embed-text' }
    for (const provider of ['openai', 'google', 'compatible'] as const) {
      const embeddingModel = provider === 'compatible' ? usual.compatible : ''
      opened.models.always(({ texts }) => ({ vectors: texts.map(() => [3, 4]) }))
      await opened.connect(provider, { aiRelatedPosts: 'on', embeddingModel })
      while (!opened.models.asked[0]) {
        const [job] = await opened.site.host.jobs.list({ type: 'ai-related', state: 'running' })
        if (job) await opened.site.host.jobs.advance(job.id)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect(opened.models.asked[0]).to.include({ provider, kind: 'embeddings', model: usual[provider] })
      expect(opened.models.asked[0].texts.join()).to.include('Hello world!')
    }
  })

  it('says in words of ours what providers say in theirs', async () => {
    await opened.connect('google')
    expect(await refusal({ status: 400, message: 'API key not valid. Please pass a valid API key.' })).to.include({
      code: 'ai_provider_auth',
    })
    await opened.connect('openai')
    expect(await refusal({ status: 400, message: `Blocked by our moderation system, ${KEY}` })).to.include({
      code: 'ai_content_refused',
    })
    const { models } = opened
    models.script(
      { status: 404, message: `No such model for ${KEY}` },
      { status: 402, message: 'Pay' },
      { status: 413 },
    )
    const messages = [await title(), await title(), await title()].map(
      async (answer) => z.object({ message: z.string() }).parse(await answer.json()).message,
    )
    expect(await Promise.all(messages)).to.deep.equal([
      'OpenAI does not offer the model gpt-5.4-mini. Choose another model.',
      'The OpenAI account has no credit left. Check your billing settings with the provider.',
      'OpenAI rejected the request.',
    ])
  })

  it('ignores an invalid Retry-After', async () => {
    await opened.connect('compatible')
    for (const headers of [{ 'retry-after-ms': '1e999' }, { 'Retry-After': '9'.repeat(300) }]) {
      expect(await refusal({ status: 429, headers })).to.include({ status: 429, retryAfter: '86400' })
    }
  })

  it('reads no answer without end', async () => {
    await opened.connect('compatible')
    const chunk = new TextEncoder().encode('x'.repeat(1_048_576))
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
    const forget = opened.site.respond(() => new Response(endless()))
    for (const path of ['/generate-title', '/generateAiResponse']) {
      const answer = await opened.post(path, { brief: 'About salt', message: 'Hello' })
      expect(answer.status).to.equal(502)
      expect(await answer.json()).to.include({ code: 'ai_provider_error' })
    }
    forget()
  })

  it('takes no longer than the owner lets it, in one go and step by step', async () => {
    await opened.connect('anthropic', { timeoutSeconds: 1 })
    opened.models.script({ hang: true }, { hang: true })
    const answers = await Promise.all([title(), opened.post('/generateAiResponse', { message: 'Hello' })])
    for (const answer of answers) {
      expect(answer.status).to.equal(502)
      expect(await answer.json()).to.include({
        code: 'ai_provider_error',
        message: 'Anthropic did not respond in time. Try again.',
      })
    }
  })
})
