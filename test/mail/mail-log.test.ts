import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import { createMailLog } from '../../cms/mail/index.ts'
import { RestError } from '../../core/errors.ts'
import { openOwnSite, useOwnSite } from '../wp-v2/own-site.ts'

const answer = z.object({
  items: z.array(
    z.object({
      ...{ id: z.int(), recipients: z.string(), subject: z.string(), state: z.string(), error: z.string() },
      ...{ attempts: z.int(), canResend: z.boolean() },
    }),
  ),
})
const listOf = (data: unknown) => answer.parse(data).items

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sent',
    (error: unknown) => (error instanceof RestError ? error.code : error),
  )

describe('the email log', () => {
  const site = useOwnSite()
  let admin: string
  let isRefusing = false
  const received: string[] = []
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    const smtp = new SMTPServer({
      ...{ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true },
      onRcptTo: (_address, _session, done) => done(isRefusing ? new Error('Mailbox busy') : undefined),
      onData(stream, _session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.once('end', () => {
          received.push(Buffer.concat(chunks).toString())
          done()
        })
      },
    })
    smtp.on('error', () => {})
    after(() => new Promise<void>((resolve) => smtp.close(resolve)))
    await once(smtp.server.listen(0, '127.0.0.1'), 'listening')
    const address = smtp.server.address()
    const smtpPort = typeof address === 'object' && address ? address.port : 0
    await site.host.settings.get('mail')?.update({ smtpHost: '127.0.0.1', smtpPort, smtpSecurity: 'none' })
  })
  beforeEach(async () => {
    isRefusing = false
    received.length = 0
    await site.ask('DELETE /host/v1/mail/log', {}, admin)
  })

  async function entries(query = ''): Promise<ReturnType<typeof listOf>> {
    const { item } = await site.ask(`GET /host/v1/mail/log${query}`, undefined, admin)
    return listOf(item.data)
  }
  const resend = (id: number | undefined, as = admin) => site.ask(`POST /host/v1/mail/log/${id}/resend`, {}, as)
  const send = (text: string, more: object = {}) =>
    site.host.mail.send({ to: ['ada@example.org', 'bob@example.org'], subject: 'Hello', text, ...more })

  it('lists what was sent, without the text, for administrators', async () => {
    await send('The words of this email')
    const [entry] = await entries()
    expect(entry).to.include({ recipients: 'ada@example.org, bob@example.org', subject: 'Hello', state: 'sent' })
    expect(entry).to.include({ error: '', attempts: 1, canResend: true })
    const editor = await site.signIn('an-editor', 'editor')
    const { status, item } = await site.ask('GET /host/v1/mail/log', undefined, editor)
    expect([status, item.code]).to.deep.equal([403, 'rest_forbidden'])
    expect((await resend(entry?.id, editor)).status).to.equal(403)
  })

  it('sends an email again, with the same text', async () => {
    await send('The words of this email', { headers: { 'X-Order': '12' } })
    const [entry] = await entries()
    expect((await resend(entry?.id)).status).to.equal(200)
    expect(received).to.have.lengthOf(2)
    expect(received[1]).to.include('The words of this email').and.include('X-Order: 12')
    expect((await entries())[0]).to.include({ state: 'sent', attempts: 2 })
  })

  it('has one entry for a failed email and its retries, with the reason', async () => {
    isRefusing = true
    for (let attempt = 0; attempt < 2; attempt++) expect(await failureOf(send('Twice'))).to.equal('mail_failed')
    const [failed, ...others] = await entries('?state=failed')
    expect(failed).to.include({ state: 'failed', error: 'EENVELOPE (550)', attempts: 2, canResend: true })
    expect(others).to.deep.equal([])
    expect((await resend(failed?.id)).item.code).to.equal('mail_failed')
    isRefusing = false
    await send('Twice')
    expect((await entries()).map(({ state, attempts }) => [state, attempts])).to.deep.equal([['sent', 4]])
  })

  it('never stores secrets: the message of a password reset', async () => {
    const user = await site.host.auth.users.getByLogin('admin')
    if (!user) throw new Error('no user')
    await site.host.passwordLinks.send(user, 'reset')
    const key = /key=3D([\w-]+)/.exec(received[0] ?? '')?.[1] ?? expect.fail(received[0])
    expect(key.length).to.be.greaterThan(10)
    const [entry] = await entries()
    expect(entry).to.include({ subject: received[0] && /Subject: (.*)\r/.exec(received[0])?.[1], canResend: false })
    expect((await resend(entry?.id)).item.code).to.equal('mail_not_stored')
    const rows = await site.host.database.db.selectFrom('mail_log').selectAll().execute()
    expect(JSON.stringify(rows)).not.to.include(key)
  })

  it('stores messages only encrypted', async () => {
    await send('confidential-words')
    const rows = await site.host.database.db.selectFrom('mail_log').selectAll().execute()
    expect(rows[0]?.message.length).to.be.greaterThan(100)
    expect(JSON.stringify(rows)).not.to.include('confidential-words')
    expect(readFileSync(join(site.host.config.siteDir, 'options.json'), 'utf8')).not.to.include('confidential-words')
  })

  it('stores no attachments, and does not send such an email again', async () => {
    await send('With a file', { attachments: [{ filename: 'a.txt', content: 'the file' }] })
    const [entry] = await entries()
    expect(entry?.canResend).to.equal(false)
    expect((await resend(999_999)).item.code).to.equal('mail_not_found')
  })

  it('records nothing if it is turned off', async () => {
    await site.host.settings.get('mail')?.update({ logDays: 0 })
    await send('Unrecorded')
    await site.host.settings.get('mail')?.update({ logDays: 30 })
    expect(await entries()).to.deep.equal([])
    expect(received).to.have.lengthOf(1)
  })

  it('removes entries after the days of the setting', async () => {
    const { db } = site.host.database
    let now = Date.now()
    const log = createMailLog({
      // Messages with secrets are not even encrypted.
      ...{ db, vault: { seal: () => expect.fail(), open: () => expect.fail() }, key: Buffer.alloc(32) },
      ...{ days: () => 30, now: () => now },
    })
    await log.add({ to: 'ada@example.org', subject: 'Old', text: '' }, { state: 'sent' }, true)
    now += 29 * 86_400_000
    await log.add({ to: 'ada@example.org', subject: 'New', text: '' }, { state: 'sent' }, true)
    await log.prune()
    expect(await entries()).to.have.lengthOf(2)
    now += 2 * 86_400_000
    await log.prune()
    expect((await entries()).map(({ subject }) => subject)).to.deep.equal(['New'])
  })
})

describe('the email log without an SMTP server', () => {
  it('says that an email was only stored as a file', async () => {
    const site = await openOwnSite()
    try {
      await site.host.mail.send({ to: 'ada@example.org', subject: 'Hello', text: 'Hello' })
      const admin = await site.signIn('admin', 'administrator')
      const { item } = await site.ask('GET /host/v1/mail/log', undefined, admin)
      expect(listOf(item.data)[0]).to.include({ state: 'stored', canResend: true })
    } finally {
      await site.close()
    }
  })
})
