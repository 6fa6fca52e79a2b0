import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { RestError } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { HELPDESK, openHelpdeskSite, otherAddress, set } from './helpdesk-site.ts'

const ADA = { name: 'Ada', email: 'ada@example.org', message: 'When do you open?' }

describe('POST /ai/v1/helpdesk-agent/contact', () => {
  let site: TestHost
  let formToken: string
  /** Messages that were sent, as they would go over the wire. */
  const sent: string[] = []

  before(async () => {
    site = await openHelpdeskSite({ config: { adminEmail: 'admin@example.org' } })
    site.host.hooks.addAction('wp_mail_succeeded', async (_message, { file = '' }) => {
      sent.push(await readFile(file, 'utf8'))
    })
    await set(site, { helpdeskAgent: 'on' })
    // Dates alone stand still: with all timers the host's connections would.
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    formToken = await openForm()
    mock.timers.tick(3000)
  })
  after(async () => {
    mock.timers.reset()
    await site.close()
  })
  beforeEach(() => {
    sent.length = 0
  })

  const openForm = async () => JSON.parse(await (await site.get(`${HELPDESK}/nonce`)).text()).data.formToken

  async function send(submission: object, address = otherAddress()) {
    const answer = await site.request(`${HELPDESK}/contact`, {
      method: 'POST',
      body: { formToken, ...submission },
      headers: { 'X-Forwarded-For': address },
    })
    const text = await answer.text()
    return { ...JSON.parse(text), status: answer.status, headers: answer.headers, text }
  }

  it('mails what a visitor wrote to the administrator, who answers the visitor', async () => {
    const answer = await send({ ...ADA, subject: 'Opening hours', pageUrl: `${site.url}/visit/#map` })
    expect(answer.data).to.deep.equal({ sent: true })
    const [mail] = sent
    expect(mail).to.match(/^To: admin@example\.org$/m)
    expect(mail).to.match(/^Subject: \[.+\] Opening hours$/m)
    expect(mail).to.match(/^Reply-To: ada@example\.org$/m)
    expect(mail).to.match(/^Content-Type: text\/plain/m)
    for (const part of ['When do you open?', 'Ada <ada@example.org>', `${site.url}/visit/`])
      expect(mail).to.contain(part)
    expect(mail).not.to.contain('#map')
  })

  it('takes no page of another site, and no field that it does not know', async () => {
    await send({ ...ADA, pageUrl: 'https://evil.example/login', recipient: 'eve@evil.example', to: 'eve@evil.example' })
    expect(sent[0]).to.match(/^To: admin@example\.org$/m)
    expect(sent[0]).not.to.contain('evil')
  })

  it('sends emoji, right-to-left text and HTML as the visitor wrote them', async () => {
    const message = 'שלום 👋🏽\n<script>alert(1)</script>'
    await send({ name: 'د. فاطمة 🌍', email: 'ü@exämple.de', message })
    const [mail] = site.mails.slice(-1)
    expect(mail?.text).to.contain(message).and.contain('د. فاطمة 🌍 <ü@exämple.de>')
    expect(sent).to.have.length(1)
    expect(mail?.html).to.equal(undefined)
  })

  it('is closed while the helpdesk is off', async () => {
    await set(site, { helpdeskAgent: 'off' })
    expect(await send(ADA)).to.include({ status: 409, code: 'ai_helpdesk_off' })
    await set(site, { helpdeskAgent: 'on', helpdeskEmail: 'desk@example.org' })
  })

  it('mails whom the owner chose', async () => {
    await send(ADA)
    expect(sent[0]).to.match(/^To: desk@example\.org$/m)
  })

  describe('refuses', () => {
    const wrong: [what: string, change: object, parameter: string][] = [
      ['a line break in the name', { name: 'Ada\r\nBcc: eve@evil.example' }, 'name'],
      ['a line break in the address', { email: 'ada@example.org\r\nBcc: eve@evil.example' }, 'email'],
      ['a line break in the subject', { subject: 'Hello\nBcc: eve@evil.example' }, 'subject'],
      ['two addresses', { email: 'ada@example.org, eve@evil.example' }, 'email'],
      ['an address that mail readers decode', { email: '=?utf-8?q?eve=40evil.example=3e?=@example.org' }, 'email'],
      ['an address that reads backwards', { email: 'ada\u202E@example.org' }, 'email'],
      ['an address with a name', { email: 'Eve <eve@evil.example>' }, 'email'],
      ['10,000 characters', { message: 'a'.repeat(10_000) }, 'message'],
      ['10,000 characters of a name', { name: '😀'.repeat(5_000) }, 'name'],
      ['nothing but blanks and control characters', { message: ' \u0007\n ' }, 'message'],
      ['an object for text', { message: { $ne: '' } }, 'message'],
    ]
    for (const [what, change, parameter] of wrong)
      it(what, async () => {
        const answer = await send({ ...ADA, ...change })
        expect(answer, answer.text).to.include({ status: 400, code: 'rest_invalid_param' })
        expect(Object.keys(answer.data.params)).to.deep.equal([parameter])
        expect(sent).to.deep.equal([])
      })

    it('a form without what it needs', async () => {
      const answer = await send({ subject: 'Hello' })
      expect(answer.code).to.equal('rest_missing_callback_param')
      expect(answer.data.params).to.have.members(['name', 'email', 'message'])
    })

    it('more than a form can hold', async () => {
      expect((await send({ ...ADA, subject: 'a'.repeat(70_000) })).code).to.equal('rest_request_too_large')
    })
  })

  it('is for pages of this site, not for those of others that send their visitors', async () => {
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await site.request(`${HELPDESK}/contact`, { method: 'POST', body: { ...ADA, formToken }, headers })
      expect(answer.status).to.equal(403)
      expect(JSON.parse(await answer.text()).code).to.equal('invalid_origin')
    }
    expect(sent).to.deep.equal([])
  })

  describe('its filters', () => {
    const undo: (() => void)[] = []
    afterEach(() => {
      for (const remove of undo.splice(0)) remove()
    })

    it('are asked once each, in order: recipient, subject, body, headers', async () => {
      const { hooks } = site.host
      const asked: string[] = []
      const note = (name: string) => (value: unknown, submission: { name: string }) => {
        asked.push(`${name} of ${submission.name}: ${typeof value}`)
      }
      undo.push(
        hooks.addFilter('ai_helpdesk_contact_headers', (headers, submission) => {
          note('headers')(headers, submission)
          return { ...headers, 'X-Ticket': '7\r\nBcc: eve@evil.example' }
        }),
        hooks.addFilter('ai_helpdesk_contact_body', (body, submission) => {
          note('body')(body, submission)
          return `Ticket 7\n${body}`
        }),
        hooks.addFilter('ai_helpdesk_contact_subject', (subject, submission) => {
          note('subject')(subject, submission)
          return 'Ticket 7\r\nBcc: eve@evil.example'
        }),
        hooks.addFilter('ai_helpdesk_contact_recipient', async (recipient, submission) => {
          note('recipient')(recipient, submission)
          return 'ada@example.org, bob@example.org'
        }),
      )
      expect((await send(ADA)).status).to.equal(200)
      const parts = [
        'recipient of Ada: string',
        'subject of Ada: string',
        'body of Ada: string',
        'headers of Ada: object',
      ]
      expect(asked).to.deep.equal(parts)
      const [mail] = sent
      expect(mail).to.match(/^To: ada@example\.org, bob@example\.org$/m)
      expect(mail).to.match(/^Subject: Ticket 7 Bcc: eve@evil\.example$/m)
      expect(mail).to.match(/^X-Ticket: 7 Bcc: eve@evil\.example$/m)
      expect(mail).not.to.match(/^Bcc:/m)
      expect(mail).to.contain('\r\n\r\nTicket 7\r\nWhen do you open?')
    })

    it('are passed over where they answer nonsense', async () => {
      const { hooks } = site.host
      const nonsense = JSON.parse('[7]')
      undo.push(
        hooks.addFilter('ai_helpdesk_contact_recipient', () => nonsense),
        hooks.addFilter('ai_helpdesk_contact_subject', () => nonsense),
        hooks.addFilter('ai_helpdesk_contact_body', () => nonsense),
        hooks.addFilter('ai_helpdesk_contact_headers', () => nonsense),
      )
      expect((await send(ADA)).status).to.equal(200)
      expect(sent[0]).to.match(/^To: desk@example\.org$/m)
      expect(sent[0]).to.contain('When do you open?')
    })

    it('can refuse', async () => {
      undo.push(
        site.host.hooks.addFilter('ai_helpdesk_contact_body', () => {
          throw new RestError('spam', 'No.', { status: 403 })
        }),
      )
      expect(await send(ADA)).to.include({ status: 403, code: 'spam' })
      expect(sent).to.deep.equal([])
    })

    it('add no recipient by a line break', async () => {
      undo.push(site.host.hooks.addFilter('ai_helpdesk_contact_recipient', (to) => `${to}\r\nBcc: eve@evil.example`))
      expect(await send(ADA)).to.include({ status: 502, code: 'mail_failed' })
      expect(sent).to.deep.equal([])
    })
  })

  describe('keeps programs away', () => {
    it('that fill in the hidden field, and reports success to them', async () => {
      expect((await send({ ...ADA, website: 'https://evil.example' })).data).to.deep.equal({ sent: true })
      expect(sent).to.deep.equal([])
    })

    it('that fill in a form faster than anybody can', async () => {
      const fresh = await openForm()
      const answer = await send({ ...ADA, formToken: fresh })
      expect(answer).to.include({ status: 429, code: 'ai_helpdesk_too_quick' })
      expect(answer.headers.get('Retry-After')).to.equal('3')
      expect(sent).to.deep.equal([])
      mock.timers.tick(3000)
      expect((await send({ ...ADA, formToken: fresh })).status).to.equal(200)
    })

    it('after so many messages of one network in ten minutes', async () => {
      await set(site, { helpdeskRateLimit: 2 })
      const [one, other] = [otherAddress(), otherAddress()]
      for (const status of [200, 200, 429]) expect((await send(ADA, one)).status).to.equal(status)
      const refused = await send(ADA, one)
      expect(refused.code).to.equal('rest_too_many_requests')
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 600)
      expect((await send(ADA, other)).status).to.equal(200)
      expect(sent).to.have.length(3)
    })

    it('that come without a form, or with one of their own making, from however many networks', async () => {
      const forged = `${(Date.now() - 60_000).toString(36)}.${formToken.split('.')[1]}`
      const tokens = ['', forged, 'x.', forged]
      const statuses: number[] = []
      for (const token of tokens) statuses.push((await send({ ...ADA, formToken: token })).status)
      expect(statuses).to.deep.equal([200, 200, 429, 429])
      expect((await send(ADA)).status, 'visitors still can').to.equal(200)
    })
  })

  describe('where no mail can be sent', () => {
    it('says so, and not why', async () => {
      const folder = join(site.host.config.siteDir, 'mail')
      await rm(folder, { recursive: true })
      await writeFile(folder, '')
      const answer = await send(ADA)
      expect(answer).to.include({ status: 502, code: 'mail_failed' })
      expect(answer.text).not.to.contain(folder)
    })
  })
})
