import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { z } from 'zod'
import { createRetryingFetch } from '../../../plugins/ai/providers/retrying-fetch.ts'
import { LICENSED } from '../../seo/license.ts'
import { freePort } from '../../support/free-port.ts'
import { COMPATIBLE_URL } from '../provider-server/index.ts'
import { KEY, type ModelsSite, openModelsSite } from './models-site.ts'

const usage = z.object({
  data: z.object({
    limit: z.number(),
    dailyLimit: z.number(),
    users: z.array(
      z.object({ userId: z.number(), calls: z.number(), inputTokens: z.number(), outputTokens: z.number() }),
    ),
  }),
})

describe('Providers: choice of the model, and token accounting', () => {
  let opened: ModelsSite

  before(async () => {
    opened = await openModelsSite({ config: LICENSED })
  })
  after(() => opened.close())

  const title = (as?: string) => opened.post('/generate-title', { brief: 'About salt' }, as)
  const answer = { object: { titles: ['Salt'] } }

  /** Tokens of the month so far. */
  async function used(): Promise<{ total: number; users: z.output<typeof usage>['data']['users'] }> {
    const response = await opened.site.get('/wp-json/ai/v1/usage', { as: 'administrator' })
    const { users } = usage.parse(await response.json()).data
    return { users, total: users.reduce((sum, user) => sum + user.inputTokens + user.outputTokens, 0) }
  }

  describe('the choice of a model', () => {
    async function asked(settings: Readonly<Record<string, unknown>>): Promise<string> {
      await opened.connect('none', settings)
      opened.models.always(answer)
      const { status } = await title()
      const [model] = opened.models.asked
      return model ? `${model.provider} ${model.model}` : `${status}`
    }

    it('is the usual one of the first provider where the owner names none', async () => {
      expect(await asked({})).to.equal('409')
      expect(await asked({ googleApiKey: KEY, anthropicApiKey: KEY })).to.equal('anthropic claude-sonnet-5-5')
    })

    it('goes by the prefix, then by whose models are called so, then to the compatible server', async () => {
      const both = { openaiApiKey: KEY, compatibleBaseUrl: COMPATIBLE_URL }
      expect(await asked({ ...both, textModel: 'compatible/llama3.3' })).to.equal('compatible llama3.3')
      expect(await asked({ ...both, textModel: 'gpt-4.1' })).to.equal('openai gpt-4.1')
      expect(await asked({ ...both, textModel: 'mistral-small' })).to.equal('compatible mistral-small')
      expect(await asked({ compatibleBaseUrl: COMPATIBLE_URL, textModel: 'openai/gpt-5.4' })).to.equal(
        'compatible openai/gpt-5.4',
      )
      expect(await asked({ openaiApiKey: KEY, textModel: 'anthropic/claude-sonnet-5-5' }), 'not connected').to.equal(
        '409',
      )
    })
  })

  describe('the account', () => {
    it('counts each user by what the provider says, or by the length of the texts', async () => {
      await opened.connect('compatible')
      const before = await used()
      opened.models.script(answer, { text: '{"titles": ["Salt"]}', usage: null })
      await title('author')
      const counted = await used()
      expect(counted.total - before.total).to.equal(15)
      await title('author')
      expect((await used()).total - counted.total).to.be.within(50, 500)
      const author = await opened.site.host.auth.users.getByLogin('test-author')
      expect((await used()).users.find(({ userId }) => userId === author?.id)).to.include({ calls: 2 })
    })

    it('is accounted per day and purpose', async () => {
      const ask = async (days: number) => {
        const answer = await opened.site.get(`/wp-json/ai/v1/usage?days=${days}`, { as: 'administrator' })
        return JSON.parse(await answer.text()).data
      }
      await opened.connect('compatible')
      const before = await ask(7)
      opened.models.script(answer)
      await title('author')
      const after = await ask(7)
      expect(after.days).to.have.length(7)
      expect(after.days.at(-1).day).to.equal(new Date().toISOString().slice(0, 10))
      expect(after.days[0]).to.deep.include({ calls: 0, inputTokens: 0, outputTokens: 0 })
      expect(after.days.at(-1).inputTokens - before.days.at(-1).inputTokens).to.equal(10)
      const writing = (of: typeof after) =>
        of.purposes.find(({ operation }: { operation: string }) => operation === 'generate-title')
      expect(writing(after).calls - writing(before).calls).to.equal(1)
      expect(after.users.find(({ name }: { name: string }) => name === 'test-author')?.calls).to.be.greaterThan(0)
      expect((await opened.site.get('/wp-json/ai/v1/usage?days=0', { as: 'administrator' })).status).to.equal(400)
    })

    it('is reported to agents of administrators', async () => {
      const { abilities, auth } = opened.site.host
      const administrator = await auth.users.getByLogin('test-administrator')
      const { users } = await used()
      expect(await abilities.run('ai/get-usage', {}, administrator ?? null)).to.deep.include({ users, limit: 0 })
      const author = await auth.users.getByLogin('test-author')
      expect((await abilities.list(author ?? null)).map(({ name }) => name)).not.to.include('ai/get-usage')
    })

    it('does not believe a server that says more than can be', async () => {
      await opened.connect('compatible')
      const before = await used()
      const most = Number.MAX_SAFE_INTEGER
      opened.models.always({ text: '{"titles": ["Salt"]}', usage: { input: most, output: most } })
      for (let call = 0; call < 2; call++) expect((await title()).status).to.equal(200)
      expect((await used()).total - before.total).to.be.within(50, 2000)
    })

    it('ends at the limit of the month, for many at once too', async () => {
      await opened.connect('compatible', { monthlyTokenLimit: (await used()).total + 1000 })
      opened.models.script({ hang: true }, answer)
      const client = new AbortController()
      const leaving = opened.postUntil(client.signal, '/generate-title', { brief: 'Salt' }).catch(() => undefined)
      while (opened.models.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      expect((await title()).status, 'what the other one may take is put aside').to.equal(402)
      client.abort()
      await leaving
      let status = 402
      while (status === 402) ({ status } = await title())
      expect(status).to.equal(200)

      await opened.connect('compatible', { monthlyTokenLimit: (await used()).total })
      const refused = await title()
      expect(refused.status).to.equal(402)
      expect(await refused.json()).to.include({ code: 'ai_limit_reached' })
      expect((await opened.post('/generateAiResponse', { message: 'Hello' })).status).to.equal(402)
    })

    it('ends a loop of tools in the middle', async () => {
      await opened.connect('compatible', { monthlyTokenLimit: (await used()).total + 20 })
      opened.models.always({ calls: [{ name: 'content__search', input: { query: 'hello' } }] })
      expect((await opened.post('/generateAiResponse', { message: 'Hello' })).status).to.equal(402)
      expect(opened.models.asked).to.have.length(2)
    })

    it('puts nothing aside for a client that left between two steps', async () => {
      const { host } = opened.site
      await opened.connect('compatible', { monthlyTokenLimit: (await used()).total + 1000 })
      opened.models.script({ calls: [{ name: 'content__search', input: { query: 'hello' } }] }, answer)
      const client = new AbortController()
      const [looked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const undo = host.hooks.addAction('wp_after_execute_ability', () => looked.resolve())
      const leaving = opened
        .postUntil(client.signal, '/generateAiResponse', { message: 'Hello' })
        .catch(() => undefined)
      await looked.promise
      // What the step took can't be written down for a while.
      const busy = host.database.db.transaction().execute(() => left.promise)
      await wait(100)
      client.abort()
      await leaving
      await wait(100)
      left.resolve()
      await busy
      undo()
      let status = 402
      while (status === 402) ({ status } = await title())
      expect(status).to.equal(200)
    })

    it('has a budget for each day from the start, which an administrator can change or lift', async () => {
      const site = await openModelsSite()
      const answered = await site.site.get('/wp-json/ai/v1/usage', { as: 'administrator' })
      expect(usage.parse(await answered.json()).data).to.include({ dailyLimit: 2_000_000, limit: 0 })
      await site.close()

      await opened.connect('compatible', { dailyTokenLimit: (await used()).total + 10_000 })
      opened.models.script({ text: '{"titles": ["Salt"]}', usage: { input: 9_900, output: 100 } })
      expect((await title('author')).status).to.equal(200)
      const refused = await title('author')
      expect(refused.status).to.equal(402)
      const { code, message } = z.object({ code: z.string(), message: z.string() }).parse(await refused.json())
      expect([code, message]).to.deep.equal([
        'ai_limit_reached',
        'The daily token limit has been reached. Try again after midnight (UTC), or raise the limit in the AI settings.',
      ])
      await opened.connect('compatible')
      opened.models.always(answer)
      expect((await title('author')).status, 'lifted').to.equal(200)
    })

    it('stops the helpdesk at its budget, but no other features', async () => {
      await opened.connect('compatible', {
        ...{ helpdeskAgent: 'on', helpdeskConversation: 'on', helpdeskDailyTokenLimit: 0 },
      })
      const ask = () =>
        opened.site.request('/wp-json/ai/v1/helpdesk-agent/ai-response', {
          ...{ method: 'POST', body: { message: 'What does “Hello world” say to welcome me?' } },
        })
      opened.models.script({ text: 'Welcome [1].', usage: { input: 20_000, output: 1 } })
      expect((await ask()).status).to.equal(200)
      await opened.connect('compatible', {
        ...{ helpdeskAgent: 'on', helpdeskConversation: 'on', helpdeskDailyTokenLimit: 20_000 },
      })
      opened.models.always(answer)
      const refused = await ask()
      expect(refused.status).to.equal(402)
      expect(await refused.text()).to.contain('as a message')
      expect((await title()).status).to.equal(200)
    })

    it('leaves half of the limit to those who work on the site, whatever visitors ask', async () => {
      await opened.connect('compatible', {
        ...{ helpdeskAgent: 'on', helpdeskConversation: 'on', monthlyTokenLimit: 100_000 },
      })
      const ask = () =>
        opened.site.request('/wp-json/ai/v1/helpdesk-agent/ai-response', {
          ...{ method: 'POST', body: { message: 'What does “Hello world” say to welcome me?' } },
        })
      opened.models.script({ text: 'Welcome [1].', usage: { input: 50_000, output: 1 } }, answer)
      expect((await ask()).status).to.equal(200)
      expect((await ask()).status).to.equal(402)
      expect((await title()).status).to.equal(200)
    })
  })

  describe('keys and addresses', () => {
    it('can be written by administrators, and never be read', async () => {
      const secret = { compatibleBaseUrl: 'http://169.254.169.254/v1' }
      for (const role of ['editor', 'subscriber']) expect((await opened.put(secret, role)).status).to.equal(403)
      await opened.connect('openai')
      const pages = ['/wp-json/', '/wp-json/host/v1/settings-schema/ai', '/wp-json/ai/v1/usage', '/']
      for (const page of pages) {
        const answer = await opened.site.get(page, { as: 'administrator' })
        expect(await answer.text(), page).not.to.include(KEY)
      }
    })

    it('are refused where they can be none', async () => {
      const bad = [
        'ftp://models.example/v1',
        'https://user:pw@models.example/v1',
        'https://models.example/v1?key=1',
        'models',
      ]
      for (const compatibleBaseUrl of bad) expect((await opened.put({ compatibleBaseUrl })).status).to.equal(400)
      for (const openaiApiKey of ['sk-1\r\nX-Evil: 1', 'sk-schlüssel']) {
        expect((await opened.put({ openaiApiKey })).status).to.equal(400)
      }
      expect((await opened.put({ openaiApiKey: ' sk-pasted \n' })).status, 'white space goes').to.equal(200)
    })

    it('are described by their purpose, never shown', async () => {
      await opened.connect('openai', { imageModel: 'openai/own-images' })
      const answer = await opened.site.get('/wp-json/ai/v1/providers', { as: 'administrator' })
      const text = await answer.text()
      expect(text).not.to.contain(KEY)
      const { items, choices } = JSON.parse(text).data
      expect(items.map(({ id, connected }: { id: string; connected: boolean }) => [id, connected])).to.deep.equal([
        ['openai', true],
        ['anthropic', false],
        ['google', false],
        ['compatible', false],
      ])
      expect(items[0].models.image).to.deep.equal({ model: 'own-images', isChosen: true })
      expect(items[1].models.image).to.deep.equal({ model: null, isChosen: false })
      expect(items[2].models.text).to.deep.equal({ model: 'gemini-3.8-flash', isChosen: false })
      expect(choices.image).to.deep.equal({ provider: 'openai', model: 'own-images' })
      await opened.connect('none')
      const none = await opened.site.get('/wp-json/ai/v1/providers', { as: 'administrator' })
      expect(JSON.parse(await none.text()).data.choices).to.deep.equal({ text: null, image: null, embedding: null })
    })

    it('stay together: a key does not go to a server that it was not entered for', async () => {
      await opened.connect('compatible')
      const elsewhere = { compatibleBaseUrl: 'https://evil.example/v1' }
      const refused = await opened.put(elsewhere)
      expect(refused.status).to.equal(400)
      expect(await refused.json()).to.have.nested.property('data.params.compatibleApiKey')
      expect((await opened.put({ ...elsewhere, compatibleApiKey: '********' })).status).to.equal(400)
      expect((await opened.put({ compatibleBaseUrl: `${COMPATIBLE_URL}/` })).status, 'the same server').to.equal(200)
      expect((await opened.put({ ...elsewhere, compatibleApiKey: '' })).status).to.equal(200)

      await opened.put({ compatibleBaseUrl: '', compatibleApiKey: '' })
      expect((await opened.put({ compatibleApiKey: KEY })).status, 'one after the other').to.equal(200)
      expect((await opened.put({ compatibleBaseUrl: COMPATIBLE_URL })).status).to.equal(200)
      expect((await opened.put({ compatibleBaseUrl: '' })).status).to.equal(200)
      expect((await opened.put(elsewhere)).status, 'it went with its server').to.equal(200)
      opened.site.respond(() => new Response('{}'))
      await title()
      expect(JSON.stringify(opened.site.requests.at(-1)))
        .to.include('evil.example')
        .and.not.to.include(KEY)
    })

    it('follow no redirect', async () => {
      const seen: string[] = []
      const port = await freePort()
      const server = createServer(({ url = '' }, response) => {
        seen.push(url)
        response.writeHead(307, { Location: '/elsewhere' }).end()
      }).listen(port, '127.0.0.1')
      const asked = createRetryingFetch(fetch)(`http://127.0.0.1:${port}/v1`, { headers: { 'x-api-key': KEY } })
      expect(await asked.catch(({ name }) => name)).to.equal('TypeError')
      expect(seen).to.deep.equal(['/v1'])
      server.close()
    })

    it('are not asked for by others than administrators', async () => {
      for (const as of ['editor', 'subscriber']) {
        expect((await opened.post('/providers/openai/test', {}, as)).status).to.equal(403)
        expect((await opened.site.get('/wp-json/ai/v1/usage', { as })).status).to.equal(403)
      }
    })
  })
})
