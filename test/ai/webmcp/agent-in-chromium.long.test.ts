import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { launchChromium } from '../../speed/chromium.ts'
import { AI } from '../ai-plugin.ts'

const STORE = join(import.meta.dirname, '../../../extensions/store')
const EVERY_TOOL = [
  'add_to_cart',
  'get_content',
  'get_product',
  'list_categories',
  'numbers.double',
  'search_content',
  'search_products',
  'view_cart',
]

describe('An agent in Chromium', () => {
  let site: TestHost
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const ids = { lamp: 0, shirt: 0, post: 0 }

  before(async () => {
    site = await createTestHost({ extensions: [AI, STORE] })
    await call('PUT', '/ai/v1/settings', { settings: { webMcpTools: 'on' } })
    ids.lamp = await create('products', { title: 'Desk lamp', content: 'It glows.', meta: { price: 2490 } })
    await call('PUT', `/store/v1/stock/${ids.lamp}`, { quantity: 3 })
    ids.shirt = await create('products', { title: 'Shirt', content: 'It fits.' })
    await create('product-variations', { parent: ids.shirt, title: 'Shirt, red', meta: { price: 1000 } })
    ids.post = await create('posts', { title: 'How to light a room', content: '<p>Use a lantern.</p>' })
    site.host.abilities.register({
      ...{ name: 'numbers/double', label: 'Double a number', description: 'Doubles it.', category: 'site' },
      ...{
        permission: 'public',
        readonly: true,
        input: z.object({ number: z.int() }),
        output: z.object({ twice: z.int() }),
      },
      execute: ({ number }) => ({ twice: 2 * number }),
    })
    browser = await launchChromium('--enable-experimental-web-platform-features')
    context = await browser.newContext()
    page = await context.newPage()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  async function call(method: string, path: string, body: unknown): Promise<unknown> {
    const answer = await site.request(`/wp-json${path}`, { method, as: 'administrator', body })
    expect(answer.ok, await answer.clone().text()).to.equal(true)
    return answer.json()
  }
  async function create(type: string, post: object): Promise<number> {
    return z.object({ id: z.int() }).parse(await call('POST', `/wp/v2/${type}`, { status: 'publish', ...post })).id
  }

  /** Opens a page and waits until it has told the browser of all its tools. */
  async function open(path = '/', at = page): Promise<string[]> {
    await at.goto(site.url + path)
    const names = await at.evaluate(`(async () => {
      const context = document.modelContext ?? navigator.modelContext
      for (;;) {
        const tools = await context.getTools()
        if (tools.length >= ${EVERY_TOOL.length}) return tools.map(({ name }) => name).sort()
        await new Promise((resolve) => context.addEventListener('toolchange', resolve, { once: true }))
      }
    })()`)
    return z.array(z.string()).parse(names)
  }

  /** Runs a tool as the browser's agent does, and answers what that gets to see. */
  async function run(name: string, input: object, at = page) {
    const answer = await at.evaluate(`(async () => {
      const context = document.modelContext ?? navigator.modelContext
      const tool = (await context.getTools()).find(({ name }) => name === ${JSON.stringify(name)})
      return context.executeTool(tool, ${JSON.stringify(input)})
    })()`)
    return JSON.parse(String(answer))
  }

  it('finds every tool, with what it has to know of it', async () => {
    expect(await open()).to.deep.equal(EVERY_TOOL)
    const described = await page.evaluate(`document.modelContext.getTools().then((tools) => tools
      .filter(({ name }) => name === 'search_content' || name === 'add_to_cart')
      .map(({ name, title, description, inputSchema, annotations: { readOnlyHint, untrustedContentHint } }) =>
        ({ name, title, description, inputSchema, readOnlyHint, untrustedContentHint })))`)
    const tools = z
      .array(
        z.looseObject({
          name: z.string(),
          description: z.string(),
          inputSchema: z.looseObject({ type: z.string() }),
          readOnlyHint: z.boolean(),
        }),
      )
      .parse(described)
    expect(
      tools.map(({ name, readOnlyHint, untrustedContentHint }) => [name, readOnlyHint, untrustedContentHint]),
    ).to.have.deep.members([
      ['search_content', true, true],
      ['add_to_cart', false, true],
    ])
    const [search] = tools.filter(({ name }) => name === 'search_content')
    expect(search?.inputSchema).to.deep.include({ type: 'object', required: ['query'] })
  })

  it('searches the site and reads what it has found', async () => {
    const { items } = await run('search_content', { query: 'lantern', limit: 5 })
    expect(items).to.deep.equal([
      {
        ...{ id: ids.post, type: 'post', title: 'How to light a room', excerpt: 'Use a lantern.' },
        url: `${site.url}/how-to-light-a-room/`,
      },
    ])
    expect(await run('get_content', { id: items[0].id })).to.include({ text: 'Use a lantern.' })
    expect((await run('list_categories', {})).items[0]).to.include({ name: 'Uncategorized' })
  })

  it('learns why something was refused', async () => {
    const refused = await run('search_content', { query: 'a', limit: 'many' })
    expect(refused.error).to.include({ code: 'rest_invalid_param', status: 400 })
    expect(refused.error.params).to.have.property('limit')
    expect((await run('get_content', { id: 'a/../b' })).error.code).to.equal('rest_no_route')
    expect((await run('get_content', {})).error.status).to.equal(400)
  })

  it('may use what an extension lets everybody look up', async () => {
    expect(await run('numbers.double', { number: 21 })).to.deep.equal({ twice: 42 })
  })

  it('visits the store: finds a product, puts it into the cart, and meets each refusal', async () => {
    const { items } = await run('search_products', { query: 'lamp' })
    expect(items).to.have.length(1)
    expect(items[0]).to.include({
      id: ids.lamp,
      name: 'Desk lamp',
      price: 2490,
      currency: 'EUR',
      formattedPrice: '€24.90',
    })
    expect(await run('get_product', { id: ids.lamp })).to.include({ stockStatus: 'instock', description: 'It glows.' })
    expect(await run('view_cart', {})).to.include({ itemCount: 0, total: 0 })

    const cart = await run('add_to_cart', { id: ids.lamp, quantity: 2 })
    expect(cart).to.include({ itemCount: 2, total: 4980, formattedTotal: '€49.80' })
    expect(cart.items).to.have.length(1)
    expect(await run('view_cart', {})).to.deep.equal(cart)

    const refusals: [input: object, code: string, status: number][] = [
      [{ id: ids.lamp, quantity: 2 }, 'ai_out_of_stock', 409],
      [{ id: ids.shirt }, 'ai_not_purchasable', 400],
      [{ id: ids.post }, 'ai_not_found', 404],
      [{ id: 999_999 }, 'ai_not_found', 404],
    ]
    for (const [input, code, status] of refusals)
      expect((await run('add_to_cart', input)).error, JSON.stringify(input)).to.include({ code, status })
    expect(await run('view_cart', {})).to.include({ itemCount: 2 })

    await page.goto(`${site.url}/cart/`)
    expect(await page.locator('main').textContent())
      .to.include('Desk lamp')
      .and.include('€49.80')
  })

  it('keeps one cart when it begins by adding several things side by side', async () => {
    await context.clearCookies()
    await open()
    await Promise.all([1, 2].map((quantity) => run('add_to_cart', { id: ids.lamp, quantity })))
    expect(await run('view_cart', {})).to.include({ itemCount: 3 })
  })

  it('leaves a cart that its owner can read on a phone, and take things out of', async () => {
    await open()
    await run('add_to_cart', { id: ids.lamp })
    const phone = await context.newPage()
    await phone.setViewportSize({ width: 360, height: 640 })
    await phone.goto(`${site.url}/cart/`)
    expect(await phone.evaluate('document.documentElement.scrollWidth')).to.equal(360)
    await phone.getByRole('button', { name: 'Remove Desk lamp' }).click()
    await phone.getByText('Your cart is empty.').waitFor()
    await phone.close()
  })

  it('gets an error if there is no cart', async () => {
    const [cartPage] = (await site.host.content.posts.query({ types: ['page'], slugs: ['cart'] })).items
    const id = cartPage?.id ?? 0
    await open()
    await site.host.content.posts.update(id, { status: 'draft' })
    expect((await run('add_to_cart', { id: 999_999 })).error).to.include({ code: 'ai_no_cart', status: 503 })
    expect((await run('view_cart', {})).error).to.include({ code: 'ai_no_cart', status: 503 })
    await site.host.content.posts.update(id, { status: 'publish' })
  })

  it('has no tools of a store that was switched off, on a page that knew them too', async () => {
    await site.host.extensions.deactivate('store')
    expect((await run('view_cart', {})).error).to.include({ code: 'rest_no_route', status: 404 })
    await site.host.extensions.activate('store')
  })

  it('finds the tools at the navigator, where browsers had them before', async () => {
    const older = await context.newPage()
    await older.addInitScript(`{
      const { modelContext } = document
      Object.defineProperty(navigator, 'modelContext', { value: modelContext })
      Object.defineProperty(document, 'modelContext', { value: undefined })
    }`)
    expect(await open('/', older)).to.deep.equal(EVERY_TOOL)
    expect(await run('numbers.double', { number: 2 }, older)).to.deep.equal({ twice: 4 })
    await older.close()
  })

  it('keeps the tools of the page itself where names are the same', async () => {
    const own = await context.newPage()
    await own.addInitScript(`document.modelContext.registerTool({
      ...{ name: 'search_content', description: 'The own one of the page.', inputSchema: { type: 'object' } },
      execute: async () => ({ own: true }),
    })`)
    expect(await open('/', own)).to.deep.equal(EVERY_TOOL)
    expect(await run('search_content', {}, own)).to.deep.equal({ own: true })
    await own.close()
  })

  it('leaves browsers without WebMCP alone', async () => {
    const plain = await context.newPage()
    const asked: string[] = []
    const problems: string[] = []
    plain.on('request', (request) => asked.push(new URL(request.url()).pathname))
    plain.on('pageerror', (error) => problems.push(error.message))
    await plain.addInitScript(`Object.defineProperty(document, 'modelContext', { value: undefined })`)
    await plain.goto(site.url)
    expect(asked.filter((path) => path.includes('webmcp'))).to.have.length(1)
    expect(asked.some((path) => path.startsWith('/wp-json/'))).to.equal(false)
    expect(problems).to.deep.equal([])
    await plain.close()
  })
})
