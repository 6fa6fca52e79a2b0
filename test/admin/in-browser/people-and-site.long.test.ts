import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { toOutline } from '../../../admin/src/screens/menus/outline.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, settled, shoot } from '../admin-site.ts'

describe('media, comments, people, menus and settings in the admin', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/media')
  })
  after(() => admin.close())

  const navigation = () => page.getByRole('navigation', { name: 'Admin menu' })
  async function open(name: string, title = name): Promise<void> {
    await navigation()
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await settled(page)
  }
  const said = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()

  /** Saves a form of settings. */
  async function save(): Promise<void> {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
  }

  it('uploads pictures, says why a file was refused, and changes an alternative text', async () => {
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
    const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'teal.png', mimeType: 'image/png', buffer: picture },
      { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ not a picture') },
    ])
    await page.getByRole('button', { name: 'teal', exact: true }).waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: 'tool.exe' })
      .getByText(/not allowed/)
      .waitFor()
    await shoot(page, 'media')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'teal', exact: true }).click()
    await page.getByLabel('Alternative text').fill('A field of teal')
    await page.getByRole('button', { name: 'Save' }).click()
    await said('Saved.')
    await shoot(page, 'media-details')
    await expectAccessible(page)
    // In the time of the site, wherever the browser is.
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Kiritimati' })
    await page.goto(`${admin.site.url}/wp-admin/media?search=tower`)
    await page.getByRole('button', { name: 'tower', exact: true }).click()
    await page.getByText('Nov 21, 2026, 5:59').waitFor()
    await browser.detach()

    const { items } = await admin.site.host.content.posts.query({
      types: ['attachment'],
      statuses: ['inherit'],
      limit: 1,
    })
    const details = items[0] && (await admin.site.host.content.media.details(items)).get(items[0].id)
    expect(details).to.include({ alt: 'A field of teal', width: 800 })
    await page.keyboard.press('Escape')
  })

  it('lists files that were uploaded together in the order in which they were chosen', async () => {
    await page.goto(`${admin.site.url}/wp-admin/media`)
    // The first one takes the longest.
    const sizes = { 'chosen-one': 2400, 'chosen-two': 60, 'chosen-three': 60 }
    const files = await Promise.all(
      Object.entries(sizes).map(async ([name, width]) => {
        const picture = sharp({ create: { width, height: width, channels: 3, background: 'teal' } })
        return { name: `${name}.png`, mimeType: 'image/png', buffer: await picture.png().toBuffer() }
      }),
    )
    await page.locator('input[type=file]').setInputFiles(files)
    const chosen = page.getByRole('button', { name: /^chosen-/ })
    for (const name of Object.keys(sizes)) await page.getByRole('button', { name, exact: true }).waitFor()
    const names = await Promise.all((await chosen.all()).map((one) => one.getAttribute('aria-label')))
    expect(names).to.deep.equal(Object.keys(sizes))
  })

  it('answers a comment, which approves it, and marks one as spam', async () => {
    const { comments } = admin.site.host.content
    const waiting = async () => (await comments.query({ statuses: ['hold'], types: ['comment'], limit: 100 })).total
    const before = await waiting()
    await open('Comments')
    await page.getByRole('button', { name: `Pending ${before}` }).click()
    await settled(page)
    await shoot(page, 'comments')
    await expectAccessible(page)
    const table = page.getByRole('table', { name: 'Comments' })
    const actions = table.getByRole('button', { name: /^Actions for the comment by/ })
    await actions.first().click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await page.getByRole('textbox', { name: 'Reply' }).fill('Thank you for asking.')
    await page.getByRole('button', { name: 'Approve and reply' }).click()
    await said('Reply published.')
    await page.getByRole('button', { name: `Pending ${before - 1}` }).waitFor()
    await actions.first().click()
    await page.getByRole('menuitem', { name: 'Mark as spam' }).click()
    await said('1 comment marked as spam.')
    expect(await waiting()).to.equal(before - 2)
    expect((await comments.query({ search: 'Thank you for asking.' })).items[0]).to.include({ status: 'approved' })
  })

  it('approves a comment from the link in an email, after asking', async () => {
    const { comments } = admin.site.host.content
    const { items } = await comments.query({ statuses: ['hold'], types: ['comment'], limit: 1 })
    const { id = 0 } = items[0] ?? {}
    await page.goto(`${admin.site.url}/wp-admin/comment.php?action=approve&c=${id}`)
    await page.getByRole('heading', { level: 1, name: 'Moderate comment' }).waitFor()
    await page.getByRole('button', { name: 'Mark as spam' }).waitFor()
    await shoot(page, 'comment-moderate')
    await expectAccessible(page)
    expect(await comments.get(id)).to.include({ status: 'hold' })
    await page.getByRole('button', { name: 'Approve' }).click()
    await said('The comment was updated.')
    expect(await comments.get(id)).to.include({ status: 'approved' })
  })

  it('adds a category below another one', async () => {
    await open('Categories')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Add' })
    await form.getByLabel('Name').fill('Night trains')
    await form.getByLabel('Parent').click()
    await page.getByRole('option').first().click()
    await form.getByRole('button', { name: 'Add' }).click()
    await said('Added.')
    // The server never deletes the default one.
    const byDefault = page.getByRole('row').filter({ has: page.getByText('Default', { exact: true }) })
    await byDefault.getByRole('button', { name: /^Edit/ }).first().waitFor()
    expect(await byDefault.getByRole('button', { name: /^Delete/ }).count()).to.equal(0)
    expect(await byDefault.getByRole('checkbox').count()).to.equal(0)
    await shoot(page, 'categories')
    await expectAccessible(page)
    const made = await admin.site.host.content.terms.getBySlug('category', 'night-trains')
    expect(made?.parentId).to.be.above(0)
  })

  it('adds a user with a role, who can sign in', async () => {
    await open('Users')
    await shoot(page, 'users')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Add user' }).click()
    await page.getByLabel('Username').fill('wren')
    await page.getByRole('textbox', { name: 'Email' }).fill('wren@example.org')
    await page.getByLabel('First name').fill('Wren')
    // There is no SMTP server, so the invitation is off by default.
    expect(await page.getByRole('checkbox', { name: 'Email the user a link to set a password' }).isChecked()).to.equal(
      false,
    )
    await page.getByRole('button', { name: 'Generate password' }).click()
    const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Author' }).click()
    await shoot(page, 'user-new')
    await expectAccessible(page)
    await page.locator('form').getByRole('button', { name: 'Add user' }).click()
    await said('User wren added.')
    const { user } = await admin.site.host.auth.signIn({ login: 'wren', password, address: '127.0.0.1', userAgent: '' })
    expect(user.roles).to.deep.equal(['author'])
  })

  it('changes an e-mail address only with the current password, and nothing when that is canceled', async () => {
    await open('Profile')
    await page.getByLabel('Email').fill('robin@example.org')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('The change was not made because you did not confirm your password.').waitFor()
    const { users } = admin.site.host.auth
    expect((await users.getByLogin('the-administrator'))?.email).to.equal('the-administrator@example.org')
    await page.getByRole('button', { name: 'Discard changes' }).click()
  })

  it('selects a profile picture, which the list of users shows, and removes it', async () => {
    const { content, auth } = admin.site.host
    const source = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const { id } = await content.media.upload({ name: 'portrait.png', source })
    const user = await auth.users.getByLogin('the-administrator')
    const stored = () => content.meta.get('user', user?.id ?? 0, 'profile_picture')
    await open('Profile')
    await page.getByRole('button', { name: 'Select image: Profile picture' }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('searchbox', { name: 'Search files' }).fill('portrait')
    await picker
      .getByRole('button', { name: /portrait/ })
      .first()
      .click()
    await picker.getByRole('button', { name: 'Use this file' }).click()
    await picker.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Save changes', disabled: true }).waitFor()
    expect(await stored()).to.equal(id)
    await open('Users')
    await page.locator('table img[src*="portrait"]').waitFor()
    await open('Profile')
    await page.getByRole('button', { name: /Remove.*Profile picture/ }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Save changes', disabled: true }).waitFor()
    expect(await stored()).to.equal(undefined)
  })

  it('shows that the admin is in the language of the site, and returns to it after another was selected', async () => {
    const { content, auth } = admin.site.host
    const stored = async () => (await auth.users.getByLogin('the-administrator'))?.locale
    await content.updateSiteSettings({ language: 'fr_FR' })
    try {
      await open('Profile')
      await page.reload()
      const field = page.getByRole('combobox', { name: 'Admin language' })
      await field.waitFor()
      const select = async (name: string) => {
        await field.click()
        await page.getByRole('option', { name, exact: true }).click()
        // The page reloads, because its texts are those of its language.
        await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save changes' }).click()])
      }
      expect(await field.inputValue()).to.equal('Site default (French (France))')
      await select('Dutch (Netherlands)')
      expect(await stored()).to.equal('nl_NL')
      await select('Site default (French (France))')
      expect(await stored()).to.equal('')
    } finally {
      await content.updateSiteSettings({ language: 'en_US' })
      await page.reload()
    }
  })

  it('is in another language as soon as the site is', async () => {
    const { content } = admin.site.host
    await open('Settings', 'General settings')
    try {
      await page.getByRole('combobox', { name: 'Site language' }).fill('German (Germany)')
      await page.getByRole('option', { name: 'German (Germany)', exact: true }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Einstellungen › Allgemein' }).waitFor()
      expect(content.siteSettings().language).to.equal('de_DE')
    } finally {
      await content.updateSiteSettings({ language: 'en_US', dateFormat: 'F j, Y', timeFormat: 'g:i a' })
      await page.reload()
    }
  })

  it('names the locations and kinds of menu items in the language of the user', async () => {
    const { content, auth } = admin.site.host
    const { users } = auth
    const administrator = (await users.getByLogin('the-administrator'))?.id ?? 0
    const { id } = await content.terms.insert('nav_menu', { name: 'Top' })
    await users.update(administrator, { locale: 'de_DE' })
    try {
      await page.goto(`${admin.site.url}/wp-admin/menus`)
      await page.getByRole('tab', { name: 'Seiten', exact: true }).waitFor()
      await page.getByRole('searchbox', { name: 'Seiten durchsuchen' }).waitFor()
      await page.getByRole('checkbox', { name: 'Hauptmenü' }).waitFor()
      await page.getByRole('checkbox', { name: 'Footer-Menü' }).waitFor()
    } finally {
      await users.update(administrator, { locale: '' })
      await content.menus.delete(id)
      await page.goto(`${admin.site.url}/wp-admin/`)
    }
  })

  it('makes an application password, shown once, that works over HTTP', async () => {
    await open('Profile')
    await page.getByLabel('Application name').fill('Deploy script')
    await page.getByRole('button', { name: 'Add application password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await shoot(page, 'confirm-password')
    await expectAccessible(page)
    await dialog.getByLabel('Current password').fill('not my password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('alert').getByText('The password is incorrect.').waitFor()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const password = await page.getByTestId('application-password').textContent()
    await shoot(page, 'profile')
    await expectAccessible(page)
    const authorization = `Basic ${btoa(`the-administrator:${password ?? ''}`)}`
    const me = () => fetch(`${admin.site.url}/wp-json/wp/v2/users/me`, { headers: { authorization } })
    expect((await me()).status).to.equal(200)
    await page.getByRole('button', { name: 'Revoke “Deploy script”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await said('Application password revoked.')
    expect((await me()).status).to.equal(401)
  })

  it('shows in the security log what was done to accounts, by whom, and narrows it down', async () => {
    await open('Users')
    await open('Security log')
    const table = page.getByRole('table', { name: 'Security log' })
    const made = table.getByRole('row').filter({ hasText: 'Application password created' }).first()
    await made.getByText('Deploy script').waitFor()
    expect(await made.textContent())
      .to.include('the-administrator')
      .and.to.include('127.0.0.0/24')
    await shoot(page, 'security-log')
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Failed logins' }).click()
    await made.waitFor({ state: 'detached' })
    await table.getByText('Password confirmation failed').waitFor()
    await page.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Extensions, themes, restores, and settings' }).click()
    await page.getByRole('heading', { name: 'No entries found' }).waitFor()
  })

  it('makes a menu with an entry below another one, which visitors see', async () => {
    await open('Menus')
    await page.getByRole('button', { name: 'New menu' }).click()
    await page.getByRole('dialog').getByLabel('Menu name').fill('Main')
    await page.getByRole('button', { name: 'Create menu' }).click()
    const add = page.getByRole('region', { name: 'Add menu items' })
    await add.waitFor()
    const navigation = /<nav class="site-nav"[\s\S]*?<\/nav>/
    // Pages until it has items.
    expect(navigation.exec(await (await fetch(admin.site.url)).text())?.[0]).to.contain('<li')
    await add.getByRole('tab', { name: 'Custom link' }).click()
    await add.getByRole('textbox', { name: 'URL' }).fill('https://example.org/')
    await add.getByRole('textbox', { name: 'Link text' }).fill('Elsewhere')
    await add.getByRole('button', { name: 'Add to menu' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Elsewhere' }).waitFor()
    await add.getByRole('tab', { name: 'Pages' }).click()
    // What has no page of its own can't be linked to: patterns, navigation menus, templates.
    expect(await add.getByRole('tab').allTextContents()).to.deep.equal([
      'Pages',
      'Posts',
      'Categories',
      'Tags',
      'Custom link',
    ])
    await add.getByRole('checkbox').first().check()
    await add.getByRole('button', { name: 'Add to menu' }).click()
    await said('1 menu item added.')
    // By keyboard: below the entry before it.
    const entries = page.getByRole('list', { name: 'Menu items' }).getByRole('listitem')
    await entries.nth(1).waitFor()
    const last = entries.last()
    await last.getByRole('button', { name: /^Actions/ }).focus()
    const moved = page.waitForResponse(/\/batch\/v1/)
    await page.keyboard.press('Alt+ArrowRight')
    await moved
    await settled(page)
    // The first menu is that of the header.
    expect(await page.getByRole('checkbox', { name: 'Primary menu' }).isChecked()).to.equal(true)
    await page.getByRole('checkbox', { name: 'Footer menu' }).check()
    const stored = page.waitForResponse(
      (answer) => answer.url().includes('/wp/v2/menus/') && answer.request().method() !== 'GET',
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await stored
    await shoot(page, 'menus')
    await expectAccessible(page)
    const html = await (await fetch(admin.site.url)).text()
    expect(html).to.match(/<nav class="site-nav"[\s\S]*Elsewhere<\/a>\s*<ul>\s*<li/)
  })

  it('changes the site’s title, and warns a tab with outdated settings', async () => {
    await open('Settings', 'General settings')
    const title = page.getByLabel('Site title')
    await title.fill('Night Gazette')
    await shoot(page, 'settings-general')
    await expectAccessible(page)
    await save()
    expect(admin.site.host.content.siteSettings().title).to.equal('Night Gazette')
    await title.fill('Mine')
    await admin.site.host.content.updateSiteSettings({ title: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else changed the same settings').waitFor()
    expect(admin.site.host.content.siteSettings().title).to.equal('Theirs')
    await save()
    expect(admin.site.host.content.siteSettings().title).to.equal('Mine')
    await open('Reading', 'Reading settings')
    await shoot(page, 'settings-reading')
    await expectAccessible(page)
    await open('Permalinks', 'Permalink settings')
    await page.getByRole('radio', { name: 'Custom structure' }).click()
    await page.getByRole('textbox', { name: 'Custom structure' }).fill('/news/%year%/%postname%')
    await page.getByRole('textbox', { name: 'Category base' }).fill('/topics/')
    await save()
    expect(admin.site.host.content.siteSettings()).to.include({
      permalinkStructure: '/news/%year%/%postname%',
      categoryBase: 'topics',
    })
    await page.getByRole('radio', { name: 'Post name' }).click()
    await save()
    expect(admin.site.host.content.siteSettings().permalinkStructure).to.equal('/%postname%/')
    await expectAccessible(page)
    await open('Discussion', 'Discussion settings')
    await page.getByRole('switch', { name: 'Comments must be manually approved' }).click()
    await save()
    await shoot(page, 'settings-discussion')
    await open('Theme and security')
    await shoot(page, 'settings-host')
    await expectAccessible(page)
  })

  it('adds a webhook, shows its secret once and its deliveries, and deletes it', async () => {
    await open('Webhooks')
    // Nothing listens on this port.
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await page.getByTestId('webhook-secret').textContent()).to.match(/^whsec_/)
    const webhook = page.getByRole('region', { name: 'http://127.0.0.1:9/' })
    await webhook.getByText(/^(Up to date|\d+ events? behind)/).waitFor()
    await webhook.getByText(/^whpk_/).waitFor()
    await webhook.getByRole('button', { name: 'Send test event' }).click()
    await said(/The receiver could not be reached/)
    await webhook.getByRole('button', { name: 'Show deliveries' }).click()
    await webhook.getByText(/Test event · The receiver could not be reached/).waitFor()
    await shoot(page, 'settings-webhooks')
    await expectAccessible(page)
    await webhook.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('shows which changes each cache has received', async () => {
    await open('Caches')
    await page.getByText('No caches yet').waitFor()
    // Nothing listens on this port.
    const url = 'http://127.0.0.1:9/'
    const response = await admin.site.request('/wp-json/host/v1/webhooks', {
      ...{ method: 'POST', body: { url }, as: 'administrator' },
    })
    const { id } = Object(await response.json())
    const cache = page.getByRole('region', { name: `Webhook (${url})` })
    await cache.getByText(/^(Up to date|\d+ events? behind)/).waitFor()
    await expectAccessible(page)
    await admin.site.request(`/wp-json/host/v1/webhooks/${id}`, { method: 'DELETE', as: 'administrator' })
    await page.getByText('No caches yet').waitFor()
  })

  for (const [role, sees] of [
    ['editor', ['Media', 'Comments', 'Categories', 'Tags', 'Profile']],
    ['author', ['Media', 'Profile']],
    ['subscriber', ['Profile']],
  ] as const) {
    it(`shows an ${role} only what they may see`, async () => {
      const other = await admin.signIn(role, '/wp-admin/profile')
      await other.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      const names = await other.getByRole('navigation', { name: 'Admin menu' }).getByRole('link').allTextContents()
      const ours = ['Media', 'Comments', 'Categories', 'Tags', 'Menus', 'Users', 'Profile', 'Settings']
      expect(names.map((name) => name.replace(/\d+$/, '')).filter((name) => ours.includes(name))).to.deep.equal(sees)
      expect(await other.getByLabel('Role').count()).to.equal(0)
      await other.context().close()
    })
  }
})

describe('the entries of a menu', () => {
  it('are all shown, even those whose parents form a cycle', () => {
    const item = (id: number, parent: number) => ({ id, parent, menu_order: id })
    expect(toOutline([item(1, 0), item(2, 3), item(3, 2), item(4, 1), item(5, 5)])).to.deep.equal([
      { id: 1, depth: 0 },
      { id: 4, depth: 1 },
      { id: 2, depth: 0 },
      { id: 3, depth: 1 },
      { id: 5, depth: 0 },
    ])
  })
})
