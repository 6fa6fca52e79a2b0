import { join } from 'node:path'
import { mock } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { LICENSED } from '../../seo/license.ts'
import { launchChromium } from '../../speed/chromium.ts'
import { freePort } from '../../support/free-port.ts'
import { allowThemeStyles } from '../../support/theme-styles.ts'
import { openProviderServer, type ProviderServer } from '../provider-server/index.ts'
import { HELPDESK, openHelpdeskSite, set } from './helpdesk-site.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')
/** As strict as a site's policy can be that loads its own files. */
const POLICY =
  "default-src 'none'; script-src 'self' 'inline-speculation-rules'; style-src 'self'; img-src 'self'; connect-src 'self'"
/** Long enough after a form was opened for somebody to have filled it in. */
const LATER = 5000

describe('The helpdesk on pages', () => {
  let site: TestHost
  let models: ProviderServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const problems: string[] = []

  before(async () => {
    models = await openProviderServer()
    const port = await freePort()
    site = await openHelpdeskSite({
      extensions: [SPEED],
      config: { ...LICENSED, port, url: `http://127.0.0.1:${port}` },
    })
    site.respond(models.responder)
    let policy = POLICY
    site.host.hooks.addFilter('wp_headers', (headers) => ({ ...headers, 'Content-Security-Policy': policy }))
    policy = await allowThemeStyles(site.url, POLICY)
    await set(site, { helpdeskAgent: 'on', openaiApiKey: 'sk-secret' })
    browser = await launchChromium()
    context = await browser.newContext()
    page = await context.newPage()
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (400|403|404|409)/.test(message.text()))
        problems.push(message.text())
    })
  })
  after(async () => {
    await browser?.close()
    await site.close()
    await models.close()
  })
  afterEach(() => {
    mock.timers.reset()
    expect(problems.splice(0)).to.deep.equal([])
  })

  /** Opens a page that comes from the cache, and on it the helpdesk, all by the keyboard. */
  async function openHelpdesk(path = '/hello-world/'): Promise<void> {
    const isCached = async () => /HIT|STALE/.test((await site.get(path)).headers.get('x-cache') ?? '')
    while (!(await isCached()));
    const answer = await page.goto(site.url + path)
    expect(answer?.headers()['x-cache']).to.match(/HIT|STALE/)
    const opener = page.getByRole('button', { name: 'Ask us' })
    await opener.focus()
    const nonce = page.waitForResponse(/\/nonce$/)
    await page.keyboard.press('Enter')
    await nonce
  }
  const waitForAWhile = () => mock.timers.enable({ apis: ['Date'], now: Date.now() + LATER })
  const dialog = () => page.getByRole('dialog', { name: 'Help' })
  /** Name of the field, or text of the button, that has the focus. */
  const focused = () =>
    page.evaluate(`{
      const { activeElement } = document.activeElement.shadowRoot ?? document
      activeElement.name || activeElement.textContent
    }`)

  it('come with a script of at most 4 KB on the wire, the same for everybody', async () => {
    const [visitor, user] = await Promise.all([site.get('/'), site.get('/', { as: 'administrator' })])
    const ofPage = (html: string) => /<script type="application\/json" id="ai-helpdesk">.*?src="([^"]+)"/s.exec(html)
    const [mine, theirs] = [ofPage(await visitor.text()), ofPage(await user.text())]
    expect(mine?.[0]).to.equal(theirs?.[0]).and.be.a('string')
    const script = await (await site.get(mine?.[1] ?? '')).text()
    expect(gzipSync(script).length).to.be.at.most(4096)
  })

  it('take a message by the keyboard alone, on a page from the cache', async () => {
    await openHelpdesk()
    waitForAWhile()
    expect(await focused()).to.equal('name')
    await page.keyboard.type('Ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ada@example.org')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('When do you open? 🌞')
    await page.keyboard.press('Tab')
    expect(await focused(), 'the trap for programs can not be reached').to.equal('Send')
    await page.keyboard.press('Enter')
    await dialog().getByText('Thank you! Your message has been sent.').waitFor()
    expect(site.mails.at(-1)?.text).to.contain('When do you open? 🌞').and.contain(`${site.url}/hello-world/`)
    await page.keyboard.press('Escape')
    expect(await dialog().count()).to.equal(0)
    expect(await focused()).to.equal('Ask us')
  })

  it('say at each field what is wrong with it', async () => {
    await openHelpdesk()
    await dialog().getByLabel('Your email address').fill('ada')
    await dialog().getByRole('button', { name: 'Send' }).click()
    expect(await focused()).to.equal('name')
    const invalid = dialog().locator('[aria-invalid=true]')
    const names = await Promise.all((await invalid.all()).map((field) => field.getAttribute('name')))
    expect(names).to.deep.equal(['name', 'email', 'message'])
    expect(await dialog().ariaSnapshot())
      .to.contain('Please enter a valid email address.')
      .and.contain('Please fill in this field.')
    waitForAWhile()
    for (const [label, text] of Object.entries({ name: ' ', address: 'ada@example.org', message: 'Hello' }))
      await dialog()
        .getByLabel(new RegExp(`Your.* ${label}$`))
        .fill(text)
    await dialog().getByRole('button', { name: 'Send' }).click()
    await dialog().getByText('Please fill in this field.').waitFor()
    expect(await focused(), 'what only the site finds wrong too').to.equal('name')
  })

  it('covers other elements in the corners of a phone, such as the bell of the PWA service', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await openHelpdesk()
    const send = dialog().getByRole('button', { name: 'Send' })
    const box = await send.boundingBox()
    await page.evaluate(`{
      const bell = document.body.appendChild(document.createElement('button'))
      Object.assign(bell.style, { position: 'fixed', zIndex: 2147482000, width: '3rem', height: '3rem' })
      Object.assign(bell.style, { left: '${box?.x}px', top: '${box?.y}px' })
    }`)
    await send.click({ position: { x: 5, y: 5 }, timeout: 2000 })
    await dialog().getByText('Please fill in this field.').first().waitFor()
  })

  it('continue if the visitor logged in after the page was opened', async () => {
    await openHelpdesk()
    waitForAWhile()
    const user = await site.host.auth.users.getByLogin('test-administrator')
    if (!user) throw new Error('There is no administrator.')
    const session = await site.host.auth.startSession(user, { address: '127.0.0.1', userAgent: '' })
    const [name = '', value = ''] = site.host.auth.sessionCookie(session).split(';')[0]?.split('=') ?? []
    await context.addCookies([{ name, value, url: site.url }])
    for (const [label, text] of [
      ['Your name', 'Bob'],
      ['Your email address', 'bob@example.org'],
      ['Your message', 'Hi'],
    ] as const)
      await dialog().getByLabel(label).fill(text)
    const refused = page.waitForResponse((answer) => answer.status() === 403)
    await dialog().getByRole('button', { name: 'Send' }).click()
    await refused
    await dialog().getByText('Thank you').waitFor()
    await dialog().getByRole('button', { name: 'Send another message' }).click()
    await dialog().getByLabel('Your message').fill('Hi again')
    const next = page.waitForResponse(/\/contact$/)
    await dialog().getByRole('button', { name: 'Send' }).click()
    expect((await next).status(), 'it knows them from then on').to.equal(200)
    await dialog().getByText('Thank you').waitFor()
    await context.clearCookies()
  })

  describe('where a model answers', () => {
    before(async () => {
      await set(site, { helpdeskConversation: 'on' })
      await site.host.content.posts.insert({
        ...{ type: 'page', status: 'publish', title: 'The lighthouse' },
        content: '<p>The lighthouse is closed on Mondays.</p>',
      })
    })

    it('show answers as text, with the pages that they are from', async () => {
      models.script('Closed on <b>Mondays</b> [1].')
      await openHelpdesk()
      expect(await focused()).to.equal('question')
      await page.keyboard.type('When is the lighthouse closed?')
      await page.keyboard.press('Enter')
      const log = dialog().getByRole('log')
      await log.getByText('Closed on <b>Mondays</b>.').waitFor()
      await log.getByRole('link', { name: 'The lighthouse' }).click()
      await page.waitForURL('**/the-lighthouse/')
    })

    it('hand over to the contact form, with the question filled in', async () => {
      models.script('NO_ANSWER')
      await openHelpdesk()
      await page.keyboard.type('Who built the lighthouse?')
      await page.keyboard.press('Enter')
      await dialog().getByText('I couldn’t find an answer on this site.').waitFor()
      await dialog().getByRole('log').getByRole('button', { name: 'Contact us' }).click()
      expect(await dialog().getByLabel('Your message').inputValue()).to.equal('Who built the lighthouse?')
      expect(await focused()).to.equal('name')
      await dialog().getByRole('button', { name: 'Back to chat' }).click()
      await dialog().getByRole('log').getByText('Who built the lighthouse?').waitFor()
      expect(await focused()).to.equal('question')
    })

    it('offer the contact form where there is no model any more', async () => {
      await openHelpdesk()
      await set(site, { openaiApiKey: '' })
      await page.keyboard.type('Who built the lighthouse?')
      await page.keyboard.press('Enter')
      await dialog().getByLabel('Your message').waitFor()
      await set(site, { openaiApiKey: 'sk-secret' })
    })

    it('are written from the right in a language that is', async () => {
      await site.host.content.updateSiteSettings({ language: 'he_IL' })
      const undo = site.host.hooks.addFilter('ai_helpdesk_texts', (texts) => ({
        ...texts,
        title: '</script><b>עזרה',
        hello: JSON.parse('7'),
      }))
      await openHelpdesk()
      const panel = page.getByRole('dialog', { name: '</script><b>עזרה' })
      await panel.getByText('Ask me anything about the content of this site.').waitFor()
      const [heading, close] = await Promise.all([
        panel.getByRole('heading').boundingBox(),
        panel.getByRole('button', { name: 'Close' }).boundingBox(),
      ])
      expect(heading?.x).to.be.above(close?.x ?? Number.NaN)
      undo()
    })
  })

  describe('GET /ai/v1/helpdesk-agent/nonce', () => {
    const nonceOf = async (headers: Readonly<Record<string, string>> = {}) => {
      const answer = await site.get(`${HELPDESK}/nonce`, { headers })
      expect(answer.headers.get('Cache-Control')).to.contain('no-store')
      return JSON.parse(await answer.text()).data.nonce
    }

    it('is bound to no user for a visitor, and not valid where a capability is required', async () => {
      const nonce = await nonceOf()
      expect(site.host.auth.verifyNonce(nonce, 'wp_rest', { user: null, session: null })).to.equal(1)
      const refused = await site.request('/wp-json/ai/v1/settings', {
        ...{ method: 'PUT', body: { settings: {} }, headers: { 'X-WP-Nonce': nonce } },
      })
      expect(refused.status).to.equal(401)
    })

    it('is bound to whom the cookie names, unless another site made the browser ask', async () => {
      const { auth } = site.host
      const user = await auth.users.create({ login: 'carol', email: 'carol@example.org' })
      const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: '' })
      const Cookie = auth.sessionCookie(signedIn).split(';')[0] ?? ''
      const [own, foreign, over] = await Promise.all([
        nonceOf({ Cookie }),
        nonceOf({ Cookie, 'Sec-Fetch-Site': 'cross-site' }),
        nonceOf({ Cookie: `${Cookie}x` }),
      ])
      expect(auth.verifyNonce(own, 'wp_rest', signedIn)).to.equal(1)
      for (const nonce of [foreign, over]) {
        expect(auth.verifyNonce(nonce, 'wp_rest', signedIn)).to.equal(false)
        expect(auth.verifyNonce(nonce, 'wp_rest', { user: null, session: null })).to.equal(1)
      }
    })
  })
})
