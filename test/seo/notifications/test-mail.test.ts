import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { SMTPServer } from 'smtp-server'
import { openSeoSite, putSettings, set } from '../seo-site.ts'

const PASSWORD = 'p%40ss%2Fword'

const send = (site: TestHost, as = 'administrator') =>
  site.request('/wp-json/seo/v1/notifications/test', { method: 'POST', as })

describe('POST /seo/v1/notifications/test', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  const mailsSince = (count: number) => site.mails.slice(count).map(({ to }) => to)

  it('is an administrator’s', async () => {
    expect((await send(site, 'editor')).status).to.equal(403)
  })

  it('emails the administrator if no recipient is set', async () => {
    await site.host.content.updateSiteSettings({ adminEmail: 'ada@example.org' })
    const answer = await send(site)
    expect(answer.status).to.equal(200)
    expect(JSON.parse(await answer.text()).data).to.deep.equal({
      sent: true,
      recipient: 'ada@example.org',
      storedAsFile: true,
    })
    expect(mailsSince(0)).to.deep.equal(['ada@example.org'])
  })

  it('mails everybody who was chosen', async () => {
    await set(site, { notificationEmail: ' ada@example.org ,bob@example.org' })
    const { data } = JSON.parse(await (await send(site)).text())
    expect(data).to.deep.equal({ sent: true, recipient: 'ada@example.org, bob@example.org', storedAsFile: true })
    expect(mailsSince(1)).to.deep.equal(['ada@example.org, bob@example.org'])
  })

  it('takes no addressee from the request', async () => {
    await set(site, { notificationEmail: 'ada@example.org' })
    const body = { recipient: 'eve@evil.example', to: 'eve@evil.example', notificationEmail: 'eve@evil.example' }
    await site.request('/wp-json/seo/v1/notifications/test', { method: 'POST', as: 'administrator', body })
    expect(mailsSince(2)).to.deep.equal(['ada@example.org'])
  })

  for (const notificationEmail of [
    'ada@example.org\r\nBcc: eve@evil.example',
    'ada@example.org%0ABcc: eve@evil.example',
    'Ada <ada@example.org>',
    'ada@example.org, eve',
    'ada@example.org,',
    'ada@example.org;eve@evil.example',
    Array.from({ length: 11 }, (_, index) => `a${index}@example.org`).join(),
    7,
    null,
  ])
    it(`refuses to be set to ${JSON.stringify(notificationEmail).slice(0, 60)}`, async () => {
      expect((await putSettings(site, { notificationEmail })).status).to.equal(400)
    })

  it('reports a missing recipient', async () => {
    await set(site, { notificationEmail: '' })
    await site.host.content.updateSiteSettings({ adminEmail: '' })
    const answer = await send(site)
    expect(answer.status).to.equal(409)
    expect(JSON.parse(await answer.text()).code).to.equal('no_recipient')
    expect(site.mails).to.have.length(3)
  })

  it('rejects a recipient that contains a header', async () => {
    await site.host.content.updateSiteSettings({ adminEmail: 'ada@example.org' })
    const remove = site.host.hooks.addFilter('wp_mail', (mail) => ({
      ...mail,
      to: `${mail.to}\r\nBcc: eve@evil.example`,
    }))
    const answer = await send(site)
    remove()
    expect(answer.status).to.equal(400)
    expect(JSON.parse(await answer.text()).code).to.equal('invalid_mail')
  })

  it('limits the number of test emails', async () => {
    expect((await send(site)).status).to.equal(200)
    const sent = site.mails.length
    const answer = await send(site)
    expect(answer.status).to.equal(429)
    expect(JSON.parse(await answer.text()).code).to.equal('rest_too_many_requests')
    expect(Number(answer.headers.get('Retry-After'))).to.be.within(1, 60)
    expect(mailsSince(sent)).to.deep.equal([])
  })
})

describe('POST /seo/v1/notifications/test with an SMTP server', () => {
  /** Answers with the code of the failure, and nothing that was said to the server. */
  async function expectFailure(smtpUrl: string, reason: RegExp): Promise<void> {
    const site = await openSeoSite({ config: { smtpUrl } })
    try {
      await set(site, { notificationEmail: 'ada@example.org' })
      const answer = await send(site)
      const text = await answer.text()
      expect(answer.status, text).to.equal(502)
      const { code, data } = JSON.parse(text)
      expect(code).to.equal('mail_failed')
      expect(data.reason).to.match(reason)
      for (const secret of ['mailer', PASSWORD, decodeURIComponent(PASSWORD), btoa(decodeURIComponent(PASSWORD))])
        expect(text).not.to.include(secret)
    } finally {
      await site.close()
    }
  }

  async function portOf(server: Server): Promise<number> {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  it('fails where the server refuses the password', async () => {
    const smtp = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) => done(new Error(`Wrong: ${username} ${password}`)),
    })
    smtp.on('error', () => {})
    const port = await portOf(smtp.server)
    await expectFailure(`smtp://mailer:${PASSWORD}@127.0.0.1:${port}`, /^EAUTH$/)
    await new Promise<void>((resolve) => smtp.close(resolve))
  })

  it('fails where there is none', async () => {
    const holder = createServer()
    const port = await portOf(holder)
    holder.close()
    await expectFailure(`smtp://mailer:${PASSWORD}@127.0.0.1:${port}`, /^E(?:SOCKET|CONNECTION|CONNREFUSED)$/)
  })

  it('arrives where there is one', async () => {
    const received: string[] = []
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, { envelope }, done) {
        stream.resume().once('end', () => {
          received.push(...envelope.rcptTo.map(({ address }) => address))
          done()
        })
      },
    })
    const port = await portOf(smtp.server)
    const site = await openSeoSite({ config: { smtpUrl: `smtp://127.0.0.1:${port}` } })
    await set(site, { notificationEmail: 'ada@example.org, bob@example.org' })
    expect((await send(site)).status).to.equal(200)
    expect(received).to.deep.equal(['ada@example.org', 'bob@example.org'])
    await site.close()
    await new Promise<void>((resolve) => smtp.close(resolve))
  })
})
