import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Serving, serve } from '../../app/serve.ts'
import { expectNoLeaks } from '../../app/testing/leaks.ts'
import type { AdminPageData } from '../../cms/admin/page-data.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { dataOf, writeClient } from './written-client.ts'

const TABLE = {
  type: 'table',
  route: 'shop/v1/orders',
  columns: [{ key: 'customer.name', label: 'Customer' }],
  actions: [{ label: 'Cancel', route: 'shop/v1/orders/{id}/cancel', confirm: 'Cancel it?', destructive: true }],
}

const DETAILED = {
  ...TABLE,
  details: {
    title: 'Order {id}',
    route: 'shop/v1/orders/{id}',
    parts: [{ type: 'fields', fields: [{ key: 'id', label: 'ID' }] }],
  },
}

describe('admin.addPage', () => {
  const siteDir = temporaryFolder()
  const cookies = new Map<string, string>()
  let site: Serving

  before(async () => {
    const adminFolder = temporaryFolder()
    await writeClient(adminFolder)
    site = await serve(
      { siteDir, port: 0, logLevel: 'silent' },
      { adminFolder, passwordCost: CHEAPEST, runServices: false },
    )
    for (const role of ['administrator', 'editor', 'subscriber']) {
      const { auth } = site.host
      const user = await auth.users.create({ login: `an-${role}`, roles: [role] })
      const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
      cookies.set(role, auth.sessionCookie(signedIn).split(';')[0] ?? '')
    }
  })
  after(() => site.close())

  const get = (path: string, role = '') =>
    fetch(site.url + path, { redirect: 'manual', headers: { Cookie: cookies.get(role) ?? '' } })
  const pagesFor = async (role: string) => dataOf(await (await get('/wp-admin/', role)).text()).pages

  /** Writes the extension `shop` with these pages, and has it run. */
  async function shopWith(pages: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
    const folder = join(siteDir, 'extensions/shop')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    writeFileSync(
      join(folder, 'index.ts'),
      `import { join } from 'node:path'
       import { defineExtension } from 'pentad'
       export default defineExtension({ id: 'shop', name: 'My shop', version: '1.0.0', setup({ admin }) {
         for (const page of ${pages}) admin.addPage(page)
       } })`,
    )
    const { extensions } = site.host
    await (extensions.running().some(({ id }) => id === 'shop')
      ? extensions.reload('shop')
      : extensions.activate('shop'))
  }
  const refusal = (pages: string) =>
    shopWith(pages).then(
      () => 'none',
      (error) => String(error.message),
    )
  const named = (pages: readonly AdminPageData[]) => pages.map(({ title }) => title)

  it('shows a page that is made of parts to who may see it', async () => {
    await shopWith(
      JSON.stringify([
        { slug: 'orders', title: 'Orders', icon: 'cart', parts: [TABLE, { type: 'text', text: 'That is all.' }] },
        {
          slug: 'help',
          title: 'Help',
          capability: 'edit_pages',
          parent: 'seo',
          parts: [{ type: 'text', text: 'Ask.' }],
        },
      ]),
    )
    const [orders, help] = await pagesFor('administrator')
    expect(orders).to.deep.equal({
      ...{ extension: 'shop', owner: 'My shop', slug: 'orders', path: '/wp-admin/extension/shop/orders' },
      ...{ title: 'Orders', icon: 'cart', parts: [TABLE, { type: 'text', text: 'That is all.' }] },
    })
    expect(help).to.include({ title: 'Help', parent: 'seo' })
    expect(named(await pagesFor('editor'))).to.deep.equal(['Help'])
    expect(await pagesFor('subscriber')).to.deep.equal([])
  })

  it('serves a page’s bundled module only to users who may see the page', async () => {
    await shopWith(`[{ slug: 'board', title: 'Board', module: join(import.meta.dirname, 'board.ts') }]`, {
      'board.ts': `import { greeting } from './greeting.ts'
        export default function render(root: HTMLElement): void { root.textContent = greeting }`,
      'greeting.ts': `export const greeting: string = 'Hello from the shop'`,
    })
    const [board] = await pagesFor('administrator')
    const address = board?.module ?? ''
    expect(address).to.match(/^\/wp-admin\/extension-pages\/shop\/[0-9a-f]{16}\.js$/)
    const answer = await get(address, 'administrator')
    expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).to.equal('private, max-age=31536000, immutable')
    const code = await answer.text()
    expect(code)
      .to.include('Hello from the shop')
      .and.match(/export\s*{/)
    expect((await get(address, 'editor')).status).to.equal(404)
    expect((await get(address)).status).to.equal(302)
    const none = ['/wp-admin/extension-pages/shop/0000000000000000.js', '/wp-admin/extension-pages/', `${address}/x`]
    for (const other of none) expect((await get(other, 'administrator')).status, other).to.equal(404)
  })

  it('gives a module that was changed another address, without a restart', async () => {
    const [before] = await pagesFor('administrator')
    await shopWith(`[{ slug: 'board', title: 'Board', module: join(import.meta.dirname, 'board.ts') }]`, {
      'greeting.ts': `export const greeting: string = 'Hello again'`,
    })
    const [after] = await pagesFor('administrator')
    expect(after?.module).not.to.equal(before?.module)
    expect(await (await get(after?.module ?? '', 'administrator')).text()).to.include('Hello again')
    expect((await get(before?.module ?? '', 'administrator')).status).to.equal(404)
  })

  it('shows administrators why a module cannot be bundled, and shows the other pages', async () => {
    await shopWith(
      `[{ slug: 'board', title: 'Board', capability: 'read', module: join(import.meta.dirname, 'broken.ts') },
        { slug: 'help', title: 'Help', capability: 'read', parts: [{ type: 'text', text: 'Ask.' }] }]`,
      { 'broken.ts': 'export default function (' },
    )
    const [board, help] = await pagesFor('administrator')
    expect(board?.problem).to.match(/broken\.ts:1/)
    expect(help?.title).to.equal('Help')
    const [seen] = await pagesFor('subscriber')
    expect(seen).to.include({ title: 'Board', problem: '' })
  })

  for (const [what, pages, message] of [
    [
      'a slug that is no part of an address',
      [{ slug: 'My Orders', title: 'x', parts: [TABLE] }],
      /"My Orders".*slug: must contain only a-z/,
    ],
    ['no title', [{ slug: 'a', parts: [TABLE] }], /title: .*string/],
    ['neither parts nor a module', [{ slug: 'a', title: 'A' }], /either parts or a module/],
    ['both', [{ slug: 'a', title: 'A', parts: [TABLE], module: '/x.js' }], /either parts or a module/],
    [
      'a module with a relative path',
      [{ slug: 'a', title: 'A', module: './x.js' }],
      /module: must be an absolute path/,
    ],
    ['a part of no known type', [{ slug: 'a', title: 'A', parts: [{ type: 'chart' }] }], /parts\[0\]\.type/],
    [
      'a route that is an address',
      [{ slug: 'a', title: 'A', parts: [{ ...TABLE, route: 'https://evil.example/x' }] }],
      /parts\[0\]\.route: must be the path of a route/,
    ],
    [
      'a route that leads elsewhere',
      [{ slug: 'a', title: 'A', parts: [{ ...TABLE, route: '../../x' }] }],
      /parts\[0\]\.route/,
    ],
    [
      'details of two tables',
      [{ slug: 'a', title: 'A', parts: [DETAILED, DETAILED] }],
      /Only one table on a page can have details/,
    ],
    [
      'details from a route that leads elsewhere',
      [{ slug: 'a', title: 'A', parts: [{ ...DETAILED, details: { ...DETAILED.details, route: '../x' } }] }],
      /parts\[0\]\.details\.route: must be the path/,
    ],
    [
      'details of a table whose first column is a link',
      [{ slug: 'a', title: 'A', parts: [{ ...DETAILED, columns: [{ key: 'url', label: 'URL', format: 'link' }] }] }],
      /The first column of a table with details cannot have the format link/,
    ],
    [
      'a button for rows without a value to compare',
      [{ slug: 'a', title: 'A', parts: [{ ...TABLE, actions: [{ ...TABLE.actions[0], when: { key: 'state' } }] }] }],
      /parts\[0\]\.actions\[0\]\.when\.is/,
    ],
    ['a misspelled member', [{ slug: 'a', title: 'A', icn: 'cart', parts: [TABLE] }], /icn/],
    ['an icon that there is not', [{ slug: 'a', title: 'A', icon: 'unicorn', parts: [TABLE] }], /icon/],
    [
      'the same slug twice',
      [
        { slug: 'a', title: 'A', parts: [TABLE] },
        { slug: 'a', title: 'B', parts: [TABLE] },
      ],
      /"a" twice/,
    ],
  ] as const) {
    it(`refuses ${what}, and the version before runs on`, async () => {
      await shopWith(JSON.stringify([{ slug: 'fine', title: 'Fine', parts: [TABLE] }]))
      expect(await refusal(JSON.stringify(pages))).to.match(message)
      expect(named(await pagesFor('administrator'))).to.deep.equal(['Fine'])
    })
  }

  it('goes with its extension', async () => {
    await shopWith(JSON.stringify([{ slug: 'fine', title: 'Fine', parts: [TABLE] }]))
    await expectNoLeaks(site.host, 'shop')
    await site.host.extensions.deactivate('shop')
    expect(await pagesFor('administrator')).to.deep.equal([])
  })
})
