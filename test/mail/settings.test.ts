import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { openOwnSite, useOwnSite } from '../wp-v2/own-site.ts'

const PASSWORD = 'p@ss/word:1'

/** Starts an SMTP server without encryption; resolves to its port. It closes at the end of the `describe`. */
async function startSmtp(options: SMTPServerOptions): Promise<number> {
  const smtp = new SMTPServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, ...options })
  smtp.on('error', () => {})
  after(() => new Promise<void>((resolve) => smtp.close(resolve)))
  await once(smtp.server.listen(0, '127.0.0.1'), 'listening')
  const address = smtp.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

describe('the SMTP server in the settings', () => {
  const site = useOwnSite()
  let admin: string
  let port: number
  const received: { from: string; user: string | undefined }[] = []
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    port = await startSmtp({
      onAuth({ username, password }, _session, done) {
        if (username === 'mailer' && password === PASSWORD) return done(null, { user: username })
        done(new Error(`Wrong password for ${username}: ${password}`))
      },
      onData(stream, { envelope, user }, done) {
        stream.resume().once('end', () => {
          received.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', user })
          done(null, 'queued as 4711')
        })
      },
    })
  })

  const change = (settings: object) => site.ask('PUT /host/v1/settings/mail', { settings }, admin)
  const test = (to = 'ada@example.org', as = admin) => site.ask('POST /host/v1/mail/test', { to }, as)
  const server = () => ({ smtpHost: '127.0.0.1', smtpPort: port, smtpSecurity: 'none', smtpUser: 'mailer' })

  it('is not needed: emails are then stored, and the test says so', async () => {
    const { status, item } = await test()
    expect([status, item.data]).to.deep.equal([200, { to: 'ada@example.org', storedAsFile: true, response: '' }])
    expect(existsSync(join(site.host.config.siteDir, 'mail'))).to.equal(true)
    expect(site.host.mail.usesSmtp()).to.equal(false)
  })

  it('sends from the next email on, and the test returns what the server said', async () => {
    expect((await change({ ...server(), smtpPassword: PASSWORD, fromEmail: 'site@example.net' })).status).to.equal(200)
    expect(site.host.mail.usesSmtp()).to.equal(true)
    const { item } = await test()
    expect(item.data).to.deep.equal({ to: 'ada@example.org', storedAsFile: false, response: '250 queued as 4711' })
    expect(received).to.deep.equal([{ from: 'site@example.net', user: 'mailer' }])
    expect(site.host.settings.get('mail')?.masked()).to.include({ smtpPassword: '********' })
  })

  it('quotes an error of the server, without the password', async () => {
    await change({ smtpPassword: 'another-secret' })
    const { status, item } = await test()
    expect(status).to.equal(502)
    expect(item.code).to.equal('mail_failed')
    expect(item.message).to.match(
      /^The email could not be sent\. The server responded: 535 .*Wrong password for mailer: ….* Check the username and password\.$/,
    )
    expect(JSON.stringify(item)).to.not.include('another-secret')
  })

  it('must encrypt if the settings say so', async () => {
    await change({ smtpSecurity: 'starttls', smtpPassword: PASSWORD })
    const before = received.length
    const { status, item } = await test()
    expect([status, item.code]).to.deep.equal([502, 'mail_failed'])
    expect(item.message).to.match(/ Check the port and the encryption\.$/)
    expect(received.length).to.equal(before)
  })

  it('never gets the password of another server', async () => {
    expect((await change({ smtpHost: 'smtp.example.org' })).status).to.equal(400)
    expect(site.host.settings.get('mail')?.get()).to.include({ smtpHost: '127.0.0.1' })
  })

  it('is tested by administrators only, five times a minute', async () => {
    const editor = await site.signIn('ed', 'editor')
    expect((await test('ada@example.org', editor)).status).to.equal(403)
    const statuses: number[] = []
    await change({ smtpHost: '' })
    for (let time = 0; time < 5; time++) statuses.push((await test()).status)
    expect(statuses).to.include(429)
  })

  it('gives way to PENTAD_SMTP_URL', async () => {
    const other = await openOwnSite(undefined, {
      smtpUrl: `smtp://mailer:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    })
    try {
      const as = await other.signIn('admin', 'administrator')
      await other.ask('PUT /host/v1/settings/mail', { settings: { smtpHost: 'smtp.example.org' } }, as)
      const { item } = await other.ask('POST /host/v1/mail/test', { to: 'ada@example.org' }, as)
      expect(item.data).to.include({ storedAsFile: false, response: '250 queued as 4711' })
    } finally {
      await other.close()
    }
  })
})

describe('entered settings of an SMTP server', () => {
  const site = useOwnSite()
  const received: { from: string; user: string | undefined }[] = []
  const settings = () => site.host.settings.get('mail')
  let admin: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    const smtpPort = await startSmtp({
      onAuth({ username, password }, _session, done) {
        if (password === PASSWORD) return done(null, { user: username })
        done(new Error(`Wrong password: ${password}`))
      },
      onData(stream, { envelope, user }, done) {
        stream.resume().once('end', () => {
          received.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', user })
          done(null, 'queued as 4711')
        })
      },
    })
    const server = { smtpHost: '127.0.0.1', smtpPort, smtpUser: 'mailer', smtpPassword: PASSWORD }
    await settings()?.update(server)
  })
  const test = (entered: object) =>
    site.ask('POST /host/v1/mail/test', { to: 'ada@example.org', settings: entered }, admin)

  it('are tested without being stored', async () => {
    const before = settings()?.get()
    const { item } = await test({ smtpSecurity: 'none', fromEmail: 'other@example.net', smtpPassword: '********' })
    expect(item.data).to.include({ storedAsFile: false, response: '250 queued as 4711' })
    expect(received).to.deep.equal([{ from: 'other@example.net', user: 'mailer' }])
    const wrong = await test({ smtpSecurity: 'none', smtpPassword: 'mistyped-secret' })
    expect([wrong.status, wrong.item.code]).to.deep.equal([502, 'mail_failed'])
    expect(wrong.item.message).to.include('Wrong password: …')
    expect(JSON.stringify(wrong.item)).to.not.include('mistyped-secret')
    expect((await test({ smtpHost: '' })).item.data).to.include({ storedAsFile: true })
    expect((await test({ smtpPort: 0 })).status).to.equal(400)
    expect(settings()?.get()).to.deep.equal(before)
  })

  it('never get the stored password for another server', async () => {
    const { status, item } = await test({ smtpHost: 'localhost', smtpSecurity: 'none' })
    expect([status, item.code]).to.deep.equal([400, 'rest_invalid_param'])
    expect(item.data).to.have.nested.property('params.smtpPassword')
    expect(received).to.have.length(1)
  })
})
