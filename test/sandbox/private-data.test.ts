import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { loadPatterns, objectFromJsonSchema } from '../../cms/sandbox/from-json-schema.ts'
import { hmac } from '../../cms/sandbox/hmac.ts'
import { createSpace } from '../../cms/sandbox/space.ts'
import { cleanValue } from '../../cms/sandbox/values.ts'
import { writeGuest } from './guests.ts'

const PROBE = `
  permissions: {
    routes: ['public'], settings: true, storage: 0.01, mail: { perHour: 2 },
    hooks: ['render_block', 'updated_post_meta', 'added_post_meta'],
    content: { read: 'own', write: 'own', types: ['post'] },
    fetch: { hosts: ['a.example', 'b.example'] },
  },
  setup(host) {
    const { hooks, rest, settings, options } = host
    const chosen = settings.register(z.object({ token: z.string().meta({ secret: true }).optional() }))
    hooks.addFilter('render_block', (html) => html + '<i>seen</i>')
    const seen = async (id, post, key, value) => await options.modify('probe_seen', (all) => [...(all ?? []), key + '=' + value])
    hooks.addAction('added_post_meta', seen)
    const AsyncFunction = (async () => {}).constructor
    rest.registerRoute('probe/v1', { method: 'POST', path: '/run', access: 'public', input: z.object({ code: z.string() }),
      handler: async ({ input }) => ({ value: (await new AsyncFunction('host', 'chosen', input.code)(host, chosen)) ?? null }) })
  },`

describe('private data and a sandboxed extension', () => {
  let host: TestHost
  const post = (code: string) => host.request('/wp-json/probe/v1/run', { method: 'POST', body: { code } })
  async function run(code: string): Promise<unknown> {
    const response = await post(`try { ${code} } catch (error) { return error.message }`)
    return z.object({ value: z.unknown() }).parse(await response.json()).value
  }
  before(async () => {
    host = await createTestHost({ extensions: [await writeGuest('probe', 'sandbox', PROBE)] })
  })
  after(() => host.close())

  it('the blocks of a draft are not passed', async () => {
    const { content } = host.host
    const text = '<!-- wp:paragraph --><p>Words</p><!-- /wp:paragraph -->'
    const draft = await content.posts.insert({ title: 'D', content: text, status: 'draft' })
    const open = await content.posts.insert({ title: 'P', content: text, status: 'publish' })
    doesNotMatch(await content.renderContent(draft), /seen/)
    match(await content.renderContent(open), /seen/)
  })

  it('a search tells nothing about the drafts of others', async () => {
    await host.host.content.posts.insert({ title: 'Merger', content: 'confidential', status: 'draft' })
    const found = (words: string) =>
      run(
        `const { items, total } = await host.content.posts.query({ search: '${words}', statuses: ['draft', 'publish'] }); return [items.length, total]`,
      )
    deepEqual(await found('confidential'), [0, 0])
    await run("await host.content.posts.insert({ title: 'Own', content: 'personal', status: 'draft' })")
    deepEqual(await found('personal'), [1, 1])
  })

  it('only public meta of public posts is passed', async () => {
    const { content } = host.host
    const { id } = await content.posts.insert({ title: 'M', status: 'publish' })
    const draft = await content.posts.insert({ title: 'M', status: 'draft' })
    content.registerMeta('post', 'shown', { single: true, showInRest: true })
    await content.meta.set('post', id, 'note', 'inner')
    await content.meta.set('post', id, '_internal', 'inner')
    await content.meta.set('post', draft.id, 'shown', 'draft')
    await content.meta.set('post', id, 'shown', 'public')
    const get = (key: string) => run(`return await host.content.meta.get('post', ${id}, '${key}')`)
    deepEqual([await get('note'), await get('shown')], [null, 'public'])
    deepEqual(host.host.options.get('probe_seen'), ['shown=public'])
  })

  it('a hook that passes drafts as they are saved needs all content', async () => {
    const id = await host.host.extensions.add(
      await writeGuest(
        'raw',
        'sandbox',
        "permissions: { hooks: ['content_save_pre'] }, setup({ hooks }) { hooks.addFilter('content_save_pre', (text) => text) },",
      ),
    )
    await host.host.extensions.activate(id).then(
      () => Promise.reject(new Error('It was activated.')),
      (error) => match(JSON.stringify(error.data), /content_save_pre, which passes drafts, is not allowed/),
    )
  })

  it('an optional secret is a handle, and goes to no host unless it belongs to one', async () => {
    await host.host.settings.get('probe')?.update({ token: 'top secret' })
    equal(await run('return chosen.get().token'), '{{secret:token}}')
    match(
      String(
        await run("return await host.fetch('https://a.example/', { headers: { 'X-Token': chosen.get().token } })"),
      ),
      /The secret token cannot be sent to a\.example/,
    )
  })

  it('a call with more than 16 unanswered requests is ended', async () => {
    equal((await post('await Promise.all(Array.from({ length: 16 }, () => host.content.posts.get(1)))')).status, 200)
    equal((await post('await Promise.all(Array.from({ length: 17 }, () => host.content.posts.get(1)))')).status, 500)
    const report = await (await host.get('/wp-json/host/v1/extensions/probe/sandbox', { as: 'administrator' })).text()
    match(report, /"reason":"requests"/)
  })

  it('every recipient counts as an email', async () => {
    const to = JSON.stringify(['a@example.org', 'b@example.org', 'c@example.org'])
    match(String(await run(`return await host.mail.send({ to: ${to}, subject: 'x', text: 'x' })`)), /2 emails an hour/)
  })

  it('concurrent changes do not exceed the space together', async () => {
    const results = await run(
      "return (await Promise.allSettled([1, 2, 3].map((at) => host.options.update('probe_' + at, 'x'.repeat(4_000))))).map(({ status }) => status)",
    )
    deepEqual(results, ['fulfilled', 'fulfilled', 'rejected'])
  })
})

describe('limits of what a sandboxed extension sends', () => {
  it('names and number of options', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `x_${at}`)
    const space = createSpace({ id: 'x', options: { names: () => names, get: () => 1 } }, 1)
    equal(await space.reserve('x_1', 2, async () => 'stored'), 'stored')
    await space
      .reserve('x_new', 2, async () => 'stored')
      .then(
        () => Promise.reject(new Error('It was stored.')),
        ({ message }) => match(message, /at most 1000 options/),
      )
  })

  it('HTML that it adds', () => {
    const long = '<p>x</p>'.repeat(20_000)
    equal(cleanValue(long, ''), long)
    equal(cleanValue(`${long.repeat(3)}<b>x</b>`, long.repeat(3)), `${long.repeat(3)}<b>x</b>`)
    for (const value of [long.repeat(2), [long, long]]) {
      try {
        cleanValue(value, '')
      } catch (error) {
        match(String(error), /256 KB/)
        continue
      }
      throw new Error('It was accepted.')
    }
  })

  it('patterns are matched on the site only if they are small', async () => {
    const check = async (pattern: string, maxLength?: number, a = 'b') => {
      const schema = { type: 'object', properties: { a: { type: 'string', pattern, maxLength } }, required: ['a'] }
      return objectFromJsonSchema(schema, await loadPatterns()).safeParse({ a }).success
    }
    equal(await check('^a$', 10), false)
    equal(await check('^a$'), false)
    equal(await check('^a$', undefined, 'b'.repeat(2_000)), true)
    equal(await check('^(?:a{1,20}){20}$', 10), true)
    equal(await check(`^a${'x?'.repeat(100)}$`, 10), true)
  })

  it('a prefix does not tell how a secret begins', () => {
    const key = { prefix: 'whsec_', encoding: 'utf8' } as const
    equal(hmac('whsec_abc', 'm', { key }), hmac('abc', 'm'))
    equal(hmac('abc', 'm', { key }), hmac('abc', 'm'))
  })
})
