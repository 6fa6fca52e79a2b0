import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../speed/chromium.ts'
import { freePort } from '../../support/free-port.ts'
import { HELPDESK, openHelpdeskSite, otherAddress } from './helpdesk-site.ts'

const ADA = { name: 'Ada', email: 'ada@example.org', message: 'When do you open?' }

describe('The contact form block, while the helpdesk is turned off', () => {
  let site: TestHost
  let browser: Browser

  before(async () => {
    const port = await freePort()
    site = await openHelpdeskSite({ config: { port, url: `http://127.0.0.1:${port}` } })
    const content = '<!-- wp:paragraph --><p>Write to us.</p><!-- /wp:paragraph --><!-- wp:pentad/contact-form /-->'
    await site.host.content.posts.insert({ type: 'page', status: 'publish', title: 'Contact', content })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  const formIn = (html: string): string =>
    JSON.parse(/class="contact-form-data">(.+?)<\/script>/.exec(html)?.[1] ?? '{}').form

  function send(form: string) {
    return site.request(`${HELPDESK}/contact`, {
      method: 'POST',
      body: { ...ADA, form },
      headers: { 'X-Forwarded-For': otherAddress() },
    })
  }

  it('emails a message that a visitor writes into it, even in less than the minimum time', async () => {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
    await page.goto(`${site.url}/contact/`)
    const nonce = page.waitForResponse(/\/nonce$/)
    await page.getByLabel('Your name').fill('Ada')
    await nonce
    await page.getByLabel('Your email address').fill('ada@example.org')
    await page.getByLabel('Your message').fill('When do you open?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you! Your message has been sent.').waitFor()
    const { text, replyTo } = site.mails.at(-1) ?? {}
    expect(text).to.contain('When do you open?').and.contain(`${site.url}/contact/`)
    expect(replyTo).to.equal('ada@example.org')
    expect(problems).to.deep.equal([])
    await page.close()
  })

  it('marks required fields, clears an old error, and sends pasted text without control characters', async () => {
    const page = await browser.newPage()
    await page.goto(`${site.url}/contact/`)
    const marks = await page.evaluate<string[]>(`{
      const { shadowRoot } = document.querySelector('.wp-block-pentad-contact-form > div')
      const names = shadowRoot.querySelectorAll('form > div:not(.trap) > label > span')
      Array.from(names, (name) => getComputedStyle(name, '::after').content)
    }`)
    expect(marks).to.deep.equal(['" *"', '" *"', 'none', '" *"'])
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Your email address').fill('ada@example.org')
    await page.getByLabel('Subject').fill('Opening\u0000hours')
    await page.getByLabel('Your message').fill('When do you\u0000open?')
    await page.route('**/contact', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Send' }).click()
    const failure = page.getByText('Something went wrong. Please try again later.')
    await failure.waitFor()
    await page.getByLabel('Your name').fill('')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Please fill in this field.').waitFor()
    expect(await failure.count()).to.equal(0)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you! Your message has been sent.').waitFor()
    expect(site.mails.at(-1)?.subject).to.contain('Opening hours')
    expect(site.mails.at(-1)?.text).to.contain('When do you open?')
    await page.close()
  })

  it('accepts messages only with the token of a form', async () => {
    const form = formIn(await (await site.get('/contact/')).text())
    expect((await send(form)).status).to.equal(200)
    for (const wrong of ['', 'x', `${form.slice(0, -1)}${form.endsWith('A') ? 'B' : 'A'}`]) {
      const answer = await send(wrong)
      expect(answer.status, wrong).to.equal(409)
      expect(JSON.parse(await answer.text()).code).to.equal('ai_helpdesk_off')
    }
  })

  it('is in no page without the block', async () => {
    expect(await (await site.get('/hello-world/')).text()).not.to.contain('contact-form')
  })
})
