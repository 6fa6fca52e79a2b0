import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type Endpoint, letOut, openEndpoint } from '../../seo/indexnow/endpoint.ts'
import { LICENSED } from '../../seo/license.ts'
import { linksSettled } from '../../seo/links/links-settled.ts'
import { type AdminSite, looksGood, openAdminSite, openScreen, saveSettings, settled } from '../admin-site.ts'

const BREAD =
  '<p>Feed the sourdough starter with rye flour, wait until the dough doubles, then bake the loaf in a hot oven.</p>'

/** The texts of rows that a button at the end of the row covers. */
const COVERED = `[...document.querySelectorAll('tbody tr')].flatMap((row) => {
  const rects = (node) => { const range = document.createRange(); range.selectNodeContents(node); return [...range.getClientRects()] }
  const buttons = [...row.querySelectorAll('td:last-child :is(button, a)')].map((one) => one.getBoundingClientRect())
  return [...row.querySelectorAll('td[data-label]')]
    .filter((cell) => rects(cell).some((text) => text.width > 0 && buttons.some((button) =>
      text.left < button.right && button.left < text.right && text.top < button.bottom && button.top < text.bottom)))
    .map((cell) => cell.textContent)
})`

describe('The SEO screens of the admin', () => {
  let admin: AdminSite
  let endpoint: Endpoint
  let page: Page

  before(async () => {
    endpoint = await openEndpoint()
    admin = await openAdminSite({ config: { ...LICENSED } })
    letOut(admin.site)
    await admin.site.host.settings.get('seo')?.update({ indexNowEndpoint: endpoint.url })
    for (const title of ['Sourdough at home', 'A starter for sourdough'])
      await admin.site.host.content.posts.insert({ title, status: 'publish', content: BREAD })
    page = await admin.signIn('administrator', '/wp-admin/seo')
  })
  after(async () => {
    await admin.close()
    await endpoint.close()
  })

  const open = (name: string) => openScreen(page, name)
  const save = () => saveSettings(page)
  /** `301 /new/` for an address that is redirected. */
  const follow = async (path: string) => {
    const answer = await fetch(admin.site.url + path, { redirect: 'manual' })
    return `${answer.status} ${answer.headers.get('location')}`
  }

  it('show the score and recommendations', async () => {
    await page.getByRole('img', { name: /^SEO score: \d+ out of 100$/ }).waitFor()
    await page.getByText('Complete the SEO setup').waitFor()
    await looksGood(page, 'seo-overview')
  })

  it('go through the setup, and put the answers into effect', async () => {
    await open('Setup')
    await page.getByRole('textbox', { name: 'Organization name' }).fill('Kitchen Ltd')
    await looksGood(page, 'seo-setup')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('textbox', { name: 'Title separator' }).fill('·')
    for (let step = 1; step < 6; step++) await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Organization name: Kitchen Ltd').waitFor()
    await page.getByRole('button', { name: 'Finish setup' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const html = await (await admin.site.get('/')).text()
    expect(html).to.match(/<title>[^<]* · [^<]*<\/title>/)
    expect(html).to.include('Kitchen Ltd')
  })

  it('show how a title will look while it is written', async () => {
    await open('Titles and meta')
    await page.getByRole('textbox', { name: 'Title: Posts' }).fill('Read: %title% %sep% %sitename%')
    const preview = page.getByRole('region', { name: 'Posts', exact: true }).getByRole('figure')
    await preview.getByText(/^Read: .+ · /).waitFor()
    await looksGood(page, 'seo-titles')
    await save()
  })

  it('make a redirect, follow it, and say why another one can’t be', async () => {
    await open('Redirects')
    await page.getByText('No redirects yet').waitFor()
    await page.getByRole('button', { name: 'Add redirect' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Source URL' }).fill('/old-kitchen/')
    await dialog.getByPlaceholder('/new-page/').fill('/')
    await dialog.getByRole('button', { name: 'Add redirect' }).click()
    await page.getByRole('cell', { name: '/old-kitchen/', exact: true }).waitFor()
    expect(await follow('/old-kitchen/')).to.equal('301 /')

    await page.getByRole('button', { name: 'Add redirect' }).first().click()
    await dialog.getByRole('textbox', { name: 'Source URL' }).fill('/old-kitchen/')
    await dialog.getByPlaceholder('/new-page/').fill('/elsewhere/')
    await dialog.getByRole('button', { name: 'Add redirect' }).click()
    await dialog.getByRole('alert').getByText('A redirect for this source already exists.').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Test a URL' }).click()
    await page.getByRole('textbox', { name: 'URL' }).fill('/old-kitchen/')
    await page.getByRole('button', { name: 'Test URL' }).click()
    await page.getByText('by the redirect from /old-kitchen/').waitFor()
    await looksGood(page, 'seo-redirects')
  })

  it('import a file, report each invalid line, and apply the rest', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Import redirects' }).click()
    const csv =
      'source,target,status\n/spoons/,/forks/,301\nhttps://elsewhere.example/,/x/,301\n/knives/,/plates/,302\n'
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 redirects imported.').waitFor()
    const row = page.getByRole('table', { name: 'Lines that could not be imported' }).getByRole('row').nth(1)
    expect(await row.textContent()).to.match(/^3Source: /)
    await looksGood(page, 'seo-import')
    expect(await follow('/knives/')).to.equal('302 /plates/')
  })

  it('redirect a missing page with one click, and ignore another', async () => {
    const [post] = (await admin.site.host.content.posts.query({ types: ['post'], limit: 1 })).items
    const slug = post?.slug ?? ''
    await admin.site.get(`/2011/${slug}.html`)
    await admin.site.get('/wp-content/plugins/probe.php')
    await open('404 errors')
    await page.getByRole('button', { name: new RegExp(`^Redirect to /.*: /2011/${slug}.html$`) }).waitFor()
    await looksGood(page, 'seo-missing-pages')
    await page.getByRole('button', { name: new RegExp(`^Redirect to /.*: /2011/${slug}.html$`) }).click()
    await page.getByText('Redirect created:').waitFor()
    expect(await follow(`/2011/${slug}.html`)).to.match(/^301 \//)
    await page.getByRole('button', { name: 'Ignore /wp-content/plugins/probe.php' }).click()
    await page.getByText('No 404 errors').waitFor()
  })

  it('show no button over a text on a phone, in German either', async () => {
    const { users } = admin.site.host.auth
    await users.create({
      login: 'someone-with-a-name',
      email: 'someone.with.a.name@example.org',
      password: 'A long one of her own',
    })
    const administrator = (await users.getByLogin('the-administrator'))?.id ?? 0
    await users.update(administrator, { locale: 'de_DE' })
    await admin.site.get('/there-is-nothing/')
    const phone = await admin.signIn('administrator', '/wp-admin/seo/missing-pages', 'phone')
    for (const path of ['seo/missing-pages', 'users']) {
      await phone.goto(`${admin.site.url}/wp-admin/${path}`)
      await phone.locator('tbody td:last-child :is(button, a)').first().waitFor()
      await settled(phone)
      expect(await phone.evaluate(COVERED), path).to.deep.equal([])
    }
    await users.update(administrator, { locale: '' })
    await phone.close()
  })

  it('count AI crawlers, and keep out who is not wanted', async () => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)' }
    for (const path of ['/', '/', '/feed/']) await admin.site.get(path, { headers })
    await open('AI crawlers')
    await page.getByRole('cell', { name: 'GPTBot' }).waitFor()
    await page.getByRole('switch', { name: 'Block AI training' }).focus()
    await page.keyboard.press('Space')
    await page.getByPlaceholder('Only AI training crawlers are blocked').waitFor()
    await looksGood(page, 'seo-crawlers')
    await save()
    expect(await (await admin.site.get('/robots.txt')).text()).to.include('User-agent: GPTBot')
  })

  it('count visitors of assistants', async () => {
    await admin.site.get('/', {
      headers: { Referer: 'https://chatgpt.com/', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    })
    await open('AI referrals')
    await page.getByText('ChatGPT', { exact: true }).waitFor()
    await page.getByRole('heading', { name: '1 visit in the last 90 days' }).waitFor()
    await looksGood(page, 'seo-referrals')
  })

  it('send pages to IndexNow, and keep a log of it', async () => {
    await open('IndexNow')
    await page.getByRole('button', { name: 'Submit test' }).click()
    await page.getByText('1 URL submitted.').waitFor()
    expect(endpoint.received).to.have.length(1)
    await page.getByRole('table', { name: 'Submissions' }).getByText('Accepted', { exact: true }).waitFor()
    await looksGood(page, 'seo-indexnow')
  })

  it('name pages that nothing links to, and links that a post could have', async () => {
    await linksSettled(admin.site)
    await open('Links')
    await page.getByRole('link', { name: 'Link suggestions: Sourdough at home' }).click()
    await page.getByRole('region', { name: 'Link suggestions' }).getByRole('listitem').first().waitFor()
    await looksGood(page, 'seo-links')
  })

  it('take over what another plugin left, with a report that a reload does not lose', async () => {
    await open('Import from another SEO plugin')
    await page.getByRole('button', { name: 'Import from Yoast SEO' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import report: Yoast SEO' }).waitFor()
    await page.reload()
    await page.getByText(/^Posts: \d+ of 20 updated$/).waitFor()
    await page.getByText('SEO fields: 40 imported', { exact: true }).waitFor()
    await looksGood(page, 'seo-migration')
  })

  it('show the files of the site, and all settings', async () => {
    await open('Settings')
    await page.getByRole('region', { name: '/robots.txt' }).getByText('GPTBot').waitFor()
    expect(await page.getByRole('textbox', { name: 'Person name' }).count()).to.equal(0)
    const keptOut = page.getByRole('region', { name: 'Search engine indexing' })
    await keptOut.getByText('Media', { exact: true }).waitFor()
    await keptOut.getByRole('combobox', { name: 'Noindex content types' }).fill('Ta')
    await page.getByRole('option', { name: 'Tags' }).click()
    await page.keyboard.press('Escape')
    await save()
    expect(await (await admin.site.get('/wp-sitemap.xml')).text()).not.to.include('post_tag')
    await looksGood(page, 'seo-settings')
  })
})
