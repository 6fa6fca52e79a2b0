import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../../support/site-folder.ts'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from '../admin-site.ts'

/** An extension with everything that can be seen of one in the admin. */
const SHOP = `
import { join } from 'node:path'
import { defineExtension, paginated, paginationSchema, success } from 'pentad'
import { z } from 'zod'

export default defineExtension({
  id: 'tea-shop',
  name: 'Tea shop',
  version: '1.0.0',
  description: 'Sells tea by the cup.',
  setup({ admin, hooks, rest, settings }) {
    const options = settings.register(z.object({
      greeting: z.string().max(40).default('Good morning').meta({ title: 'Greeting', description: 'Said to guests.' }),
      cups: z.int().min(0).max(99).default(3).meta({ title: 'Cups' }),
      apiKey: z.string().default('').meta({ title: 'API key', secret: true }),
    }))
    const guests = Array.from({ length: 45 }, (_, index) => ({ id: index + 1, person: { name: 'Guest ' + (index + 1) },
      cups: index % 5, came: '2026-11-22T08:00:00Z', paid: index % 2 === 0 }))
    hooks.addFilter('the_content', function brewTea(html) { return html })
    rest.registerRoute('tea-shop/v1', { method: 'GET', path: '/figures', access: 'manage_options',
      handler: () => success({ sold: { today: 12 }, greeting: options.get().greeting }) })
    rest.registerRoute('tea-shop/v1', { method: 'GET', path: '/guests', access: 'manage_options', input: paginationSchema,
      handler: ({ input }) => paginated(guests.slice((input.page - 1) * input.perPage, input.page * input.perPage), guests.length, input) })
    rest.registerRoute('tea-shop/v1', { method: 'POST', path: '/guests/{id}/farewell', access: 'manage_options',
      input: z.object({ id: z.int() }), handler: ({ input }) => {
        guests.splice(guests.findIndex(({ id }) => id === input.id), 1)
        return success({})
      } })
    admin.addPage({ slug: 'counter', title: 'Tea counter', icon: 'ticket', parts: [
      { type: 'text', title: 'Welcome', text: 'What is brewing.\\n\\n<b>Not bold</b>' },
      { type: 'stats', title: 'Today', route: 'tea-shop/v1/figures', items: [
        { key: 'sold.today', label: 'Sold', unit: 'cups' }, { key: 'greeting', label: 'We say' }] },
      { type: 'table', title: 'Guests', route: 'tea-shop/v1/guests', empty: 'Open the door.', columns: [
        { key: 'person.name', label: 'Name' }, { key: 'cups', label: 'Cups', format: 'number' },
        { key: 'came', label: 'Came', format: 'date' }, { key: 'paid', label: 'Paid', format: 'boolean' }],
        actions: [{ label: 'See off', route: 'tea-shop/v1/guests/{id}/farewell', confirm: 'See {person.name} off?', done: 'Gone.', destructive: true }] },
      { type: 'settings', title: 'House rules', keys: ['cups'] },
    ] })
    admin.addPage({ slug: 'board', title: 'Tea board', module: join(import.meta.dirname, 'board.ts') })
    admin.addPage({ slug: 'broken', title: 'Broken pot', module: join(import.meta.dirname, 'broken.ts') })
  },
})
`

const BOARD = `
interface Tools { read(path: string): Promise<{ greeting: string }>; user: { name: string }; signal: AbortSignal }
export default async function render(root: HTMLElement, { read, user, signal }: Tools) {
  const { greeting } = await read('tea-shop/v1/figures')
  const line = document.createElement('p')
  line.id = 'tea-board'
  line.textContent = greeting + ', ' + user.name
  root.append(line)
  signal.addEventListener('abort', () => { document.body.dataset.left = 'yes' })
}
`

describe('Extensions in the admin', () => {
  const folder = join(temporaryFolder(), 'tea-shop')
  let admin: AdminSite
  let page: Page

  before(async () => {
    admin = await openAdminSite()
    const { siteDir } = admin.site.host.config
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.ts'), SHOP)
    writeFileSync(join(folder, 'board.ts'), BOARD)
    writeFileSync(join(folder, 'broken.ts'), `export default () => { throw new Error('The pot is broken.') }`)
    cpSync(folder, join(siteDir, 'extensions', 'tea-shop'), { recursive: true })
    page = await admin.signIn('administrator', '/wp-admin/extensions')
  })
  after(() => admin.close())

  const nav = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })

  it('are listed with their state, and one is switched on', async () => {
    await heading('Extensions').waitFor()
    const shop = page.locator('[data-extension="tea-shop"]')
    await shop.getByText('Sells tea by the cup.').waitFor()
    expect(await shop.textContent()).to.match(/inactive/i)
    expect(await page.locator('[data-extension="seo"]').textContent()).to.match(/active/i)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Activate Tea shop' }).click()
    await page.getByText('“Tea shop” activated.').waitFor()
    expect(await page.locator('[data-extension="tea-shop"]').textContent())
      .to.include('3 routes')
      .and.include('3 pages')
    await shoot(page, 'extensions')
  })

  it('are filtered on a phone with labels that are centered', async () => {
    const phone = await admin.signIn('administrator', '/wp-admin/extensions', 'phone')
    const filter = phone.getByRole('radiogroup', { name: 'Filter by status' })
    await filter.waitFor()
    // With room to spare, as in controls of full width.
    await filter.evaluate((element) => element.setAttribute('style', 'display: flex; width: 358px'))
    for (const label of await filter.locator('label').all()) {
      const [outer, inner] = await Promise.all([label.boundingBox(), label.locator('span').first().boundingBox()])
      if (!outer || !inner) throw new Error('The label has no text.')
      expect(outer.height).to.be.at.least(44)
      expect(inner.x + inner.width / 2).to.be.closeTo(outer.x + outer.width / 2, 1)
      expect(inner.y + inner.height / 2).to.be.closeTo(outer.y + outer.height / 2, 2)
    }
    await phone.close()
  })

  it('show a page made of parts, whose buttons ask before they call', async () => {
    await nav('Tea counter').click()
    await heading('Tea counter').waitFor()
    await page.getByText('12 cups').waitFor()
    expect(await page.getByText('<b>Not bold</b>').count()).to.equal(1)
    await page.getByText('45 items').waitFor()
    await page.getByRole('button', { name: 'Page 3' }).click()
    await page.getByText('Guest 41').waitFor()
    await page
      .getByRole('row', { name: /Guest 41/ })
      .getByRole('button', { name: 'See off' })
      .click()
    await page.getByText('See Guest 41 off?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'See off' }).click()
    await page.getByText('44 items').waitFor()
    await expectAccessible(page)
    await shoot(page, 'extension-page')
  })

  it('show a page that their own module renders, and abort its signal when it is closed', async () => {
    await nav('Tea board').click()
    await page.locator('#tea-board').waitFor()
    expect(await page.locator('#tea-board').textContent()).to.equal('Good morning, Robin Administrator')
    await nav('Broken pot').click()
    await page.getByText('The extension “Tea shop” could not display this page').waitFor()
    await page.getByText('The pot is broken.').waitFor()
    expect(await page.evaluate('document.body.dataset.left')).to.equal('yes')
    expect(await page.locator('#tea-board').count()).to.equal(0)
  })

  it('have a form generated from their schema, and warn the second of two tabs', async () => {
    await nav('Extensions').click()
    await page.getByRole('link', { name: 'Tea shop', exact: true }).click()
    await heading('Tea shop').waitFor()
    const second = await admin.openTab(page, '/wp-admin/extensions/tea-shop')
    await second.getByLabel('Greeting').fill('Good night')
    await page.getByLabel('Greeting').fill('Good evening')
    await page.getByLabel('API key').fill('very secret')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved.', { exact: true }).waitFor()
    expect(admin.site.host.settings.get('tea-shop')?.get().greeting).to.equal('Good evening')

    await second.getByRole('button', { name: 'Save changes' }).click()
    await second.getByText('Changed by someone else').waitFor()
    expect(admin.site.host.settings.get('tea-shop')?.get().greeting).to.equal('Good evening')
    expect(await second.getByLabel('Greeting').inputValue()).to.equal('Good night')
    await second.getByRole('button', { name: 'Save changes' }).click()
    await second.getByText('Settings saved.', { exact: true }).waitFor()
    expect(admin.site.host.settings.get('tea-shop')?.get()).to.include({
      greeting: 'Good night',
      apiKey: 'very secret',
    })
    expect(await second.content()).not.to.include('very secret')
    await second.close()
    await expectAccessible(page)
    await shoot(page, 'extension')
  })

  it('say what is wrong with a setting', async () => {
    await page.getByLabel('Cups').fill('1000')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page
      .getByText(/This field must be/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
  })

  it('show what they hook into, in the order in which it runs, with calls and time', async () => {
    await admin.site.get('/hello-world/')
    await nav('Hooks').click()
    await heading('Hook inspector').waitFor()
    await page.getByPlaceholder('Search hooks').fill('brewTea')
    const row = page.getByRole('row', { name: /brewTea/ })
    await row.waitFor()
    expect(await row.textContent()).to.match(/Tea shop\s*brewTea\s*[1-9]/)
    expect(page.url()).to.include('search=brewTea')
    await page.getByPlaceholder('Search hooks').fill('')
    await page.getByText(/\d+ hooks/).waitFor()
    await page.getByRole('button', { name: /^page_html/ }).click()
    await expectAccessible(page)
    await shoot(page, 'hooks')
    // By the callback that took longest, and its time beside it.
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Longest callback' }).click()
    await page.waitForURL(/sort=longest/)
    const [answer] = await Promise.all([page.waitForResponse(/wp-json\/host\/v1\/hooks/), page.reload()])
    const { data } = (await answer.json()) as {
      data: { hooks: { name: string; listeners: { longest: number }[] }[] }
    }
    const longestOf = ({ listeners }: (typeof data.hooks)[number]) =>
      Math.max(0, ...listeners.map((one) => one.longest))
    const [slowest] = data.hooks.toSorted((one, other) => longestOf(other) - longestOf(one))
    const first = page.locator('.mantine-Accordion-control').first()
    expect(await first.textContent()).to.contain(slowest?.name)
    await first.click()
    const table = page.getByRole('table', { name: `Callbacks for ${slowest?.name}` })
    await table.getByRole('columnheader', { name: 'Maximum' }).waitFor()
    expect(await table.getByRole('row').nth(1).getByRole('cell').last().textContent()).to.match(/\d.* (ms|s)$/)
    await nav('License').click()
    await heading('License').waitFor()
    await settled(page)
    await expectAccessible(page)
    await shoot(page, 'license')
  })

  it('run their callbacks at the priority that an administrator chooses', async () => {
    await nav('Hooks').click()
    await page.getByPlaceholder('Search hooks').fill('brewTea')
    const row = page.getByRole('row', { name: /brewTea/ })
    const choose = async (priority: string) => {
      await row.getByRole('button', { name: /^Change priority/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Priority for the_content' })
      await dialog.getByLabel('Priority', { exact: true }).fill(priority)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const priorities = () =>
      admin.site.host.hooks
        .inspect()
        .flatMap(({ listeners }) => listeners)
        .filter(({ owner }) => owner === 'tea-shop')
        .map(({ priority }) => priority)
    await choose('25')
    await row.getByText('25 (originally 10)').waitFor()
    expect(priorities()).to.deep.equal([25])
    await choose('')
    await row.getByRole('button', { name: 'Change priority 10 of brewTea' }).waitFor()
    expect(priorities()).to.deep.equal([10])
  })

  it('are paused when they fail, with the reason', async () => {
    const { siteDir } = admin.site.host.config
    writeFileSync(
      join(siteDir, 'extensions/tea-shop/index.ts'),
      SHOP.replace("hooks.addFilter('the_content'", "hooks.addFilter('the_contents'.repeat(0) || undefined!.x"),
    )
    await nav('Extensions').click()
    await page.getByRole('button', { name: 'Reload Tea shop' }).click()
    await page.getByText('The last action failed').waitFor()
    await shoot(page, 'extension-failed')
  })

  it('take their pages with them when they are switched off', async () => {
    await page.getByRole('button', { name: 'Deactivate Tea shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('“Tea shop” deactivated.').waitFor()
    expect(await nav('Tea counter').count()).to.equal(0)
    await page.goto(`${admin.site.url}/wp-admin/extension/tea-shop/counter`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText('12 cups').count()).to.equal(0)
  })

  it('are nothing that an editor sees', async () => {
    const editors = await admin.signIn('editor')
    await editors.getByRole('heading', { level: 1 }).waitFor()
    expect(await editors.getByRole('link', { name: 'Extensions', exact: true }).count()).to.equal(0)
  })
})
