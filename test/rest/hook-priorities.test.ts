import { deepEqual, equal } from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { serve } from '../../app/serve.ts'
import { writeGuest } from '../sandbox/guests.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const appends = (letter: string) => `setup({ hooks }) {
  hooks.addFilter('the_content', (html) => html + '<p>${letter}</p>')
  hooks.addFilter('the_content', (html) => html + '<p>${letter} late</p>', 30) }`
const sandboxed = `permissions: { hooks: ['the_content'] }, ${appends('boxed')}`

const moveFirst = { hook: 'the_content', owner: 'first', ownPriority: 10, priority: 20 }

describe('PUT host/v1/hooks/priorities', () => {
  let site: TestHost
  before(async () => {
    const first = await writeGuest('first', 'process', appends('first'))
    const boxed = await writeGuest('boxed', 'sandbox', sandboxed)
    site = await createTestHost({ extensions: [first, boxed] })
  })
  after(() => site.close())

  const put = (body: object, as = 'administrator') =>
    site.request('/wp-json/host/v1/hooks/priorities', { method: 'PUT', body, as })
  async function order(): Promise<string[]> {
    const html = await (await site.get('/hello-world/')).text()
    return [...html.matchAll(/<p>((?:first|boxed).*?)<\/p>/g)].map(([, word = '']) => word)
  }
  const listed = () =>
    site.host.hooks
      .inspect()
      .filter(({ name }) => name === 'the_content')
      .flatMap(({ listeners }) => listeners)
      .filter(({ owner }) => owner === 'first' || owner === 'boxed')
      .map(({ owner, priority, ownPriority }) => [owner, priority, ownPriority])

  it('moves the callbacks that an extension has at one priority, at once, and resets them', async () => {
    deepEqual(await order(), ['first', 'boxed', 'first late', 'boxed late'])
    deepEqual(await (await put(moveFirst)).json(), { status: 'success', data: { priorities: [moveFirst] } })
    deepEqual(await order(), ['boxed', 'first', 'first late', 'boxed late'])
    deepEqual(listed(), [
      ['boxed', 10, 10],
      ['first', 20, 10],
      ['first', 30, 30],
      ['boxed', 30, 30],
    ])
    equal((await put({ ...moveFirst, priority: null })).status, 200)
    deepEqual(await order(), ['first', 'boxed', 'first late', 'boxed late'])
  })

  it('moves those of a sandboxed extension', async () => {
    await put({ hook: 'the_content', owner: 'boxed', ownPriority: 30, priority: 9.5 })
    deepEqual(await order(), ['boxed late', 'first', 'boxed', 'first late'])
    await put({ hook: 'the_content', owner: 'boxed', ownPriority: 30, priority: null })
  })

  it('lasts when the extension is reloaded or activated again, which still removes it by its own priority', async () => {
    await put(moveFirst)
    await site.reload('first')
    deepEqual(await order(), ['boxed', 'first', 'first late', 'boxed late'])
    await site.host.extensions.deactivate('first')
    await site.host.extensions.activate('first')
    deepEqual(await order(), ['boxed', 'first', 'boxed late', 'first late'])
    const folder = await writeGuest(
      'remover',
      'process',
      `setup({ hooks }) { hooks.removeAllFilters('the_content', 10) }`,
    )
    await site.host.extensions.add(folder)
    await site.host.extensions.activate('remover')
    deepEqual(await order(), ['boxed late', 'first late'])
    await site.host.extensions.deactivate('remover')
    deepEqual(await order(), ['boxed', 'first', 'boxed late', 'first late'])
    await put({ ...moveFirst, priority: null })
  })

  it('rejects callbacks that do not exist, those of Pentad, impossible priorities, and other users', async () => {
    const codeOf = async (body: object, as?: string) => {
      const response = await put(body, as)
      const { code } = (await response.json()) as { code: string }
      return [response.status, code]
    }
    deepEqual(await codeOf({ ...moveFirst, hook: 'no_such_hook' }), [404, 'hook_callback_not_found'])
    deepEqual(await codeOf({ ...moveFirst, ownPriority: 11 }), [404, 'hook_callback_not_found'])
    deepEqual(await codeOf({ ...moveFirst, owner: 'core' }), [400, 'hook_callback_of_core'])
    deepEqual(await codeOf({ ...moveFirst, priority: 1e9 }), [400, 'rest_invalid_param'])
    deepEqual(await codeOf({ ...moveFirst, priority: 'first' }), [400, 'rest_invalid_param'])
    deepEqual(await codeOf(moveFirst, 'editor'), [403, 'rest_forbidden'])
    deepEqual(site.host.options.get('hook_priorities'), [])
  })
})

describe('a changed priority', () => {
  it('lasts when the site is restarted, and purges all cached pages', async () => {
    const siteDir = temporaryFolder()
    const folder = join(siteDir, 'extensions', 'first')
    await mkdir(folder, { recursive: true })
    await writeGuest('first', 'process', appends('first'), '', folder)
    const open = () => serve({ siteDir, port: 0, logLevel: 'silent' })
    const before = await open()
    await before.host.extensions.activate('first')
    const page = async () => (await fetch(new URL('/hello-world/', before.url))).headers.get('x-cache')
    await page()
    equal(await page(), 'HIT')
    await before.host.options.update('hook_priorities', [moveFirst])
    await until(async () => (await page()) === 'MISS')
    await before.close()
    const after = await open()
    const found = after.host.hooks.inspect().find(({ name }) => name === 'the_content')
    deepEqual(
      found?.listeners.filter(({ owner }) => owner === 'first').map(({ priority }) => priority),
      [20, 30],
    )
    await after.close()
  })
})
