import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { SMTPServer } from 'smtp-server'
import { createMail } from '../../cms/mail/index.ts'
import { createMailFolder } from '../../cms/mail/mail-folder.ts'
import { checkMessage } from '../../cms/mail/message.ts'
import type { MailMessage } from '../../cms/mail/types.ts'
import { RestError } from '../../core/errors.ts'
import { createHooks, type HookRegistry } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const MESSAGE: MailMessage = { to: 'ada@example.org', subject: 'Grüße', text: 'Hello\nthere' }
const PASSWORD = 'p@ss/word:1'

interface Received {
  readonly from: string
  readonly to: string[]
  readonly source: string
}

describe('mail', () => {
  let siteDir: string
  let hooks: HookRegistry
  let logged: string[]
  beforeEach(() => {
    siteDir = temporaryFolder()
    hooks = createHooks()
    logged = []
  })

  function open(smtpUrl?: string, timeLimit?: number) {
    const log = createLog('debug', { write: (line) => void logged.push(line) })
    const sender = () => ({ name: 'Gazette, "daily"', address: 'admin@localhost' })
    return createMail({ config: { siteDir, smtpUrl }, hooks, log, sender, ...(timeLimit ? { timeLimit } : {}) })
  }

  async function refusal(promise: Promise<unknown>): Promise<RestError> {
    const error = await promise.then(
      () => new Error('It was sent.'),
      (reason: unknown) => reason,
    )
    if (!(error instanceof RestError)) throw error
    return error
  }

  describe('without an SMTP server', () => {
    const files = () => readdirSync(join(siteDir, 'mail')).sort()
    const read = (name = files()[0] ?? '') => readFileSync(join(siteDir, 'mail', name), 'utf8')

    it('writes nothing after it was closed, and closing waits for what is being written', async () => {
      const log = createLog('silent', { write: () => {} })
      const folder = createMailFolder(join(siteDir, 'mail'), log)
      const message = checkMessage(MESSAGE, { name: 'Gazette', address: 'admin@localhost' })
      const outcomes = Promise.allSettled([folder.deliver(message), folder.deliver(message)])
      await folder.close()
      expect(files().filter((name) => name.endsWith('.eml'))).to.have.length(2)
      expect((await outcomes).map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled'])
      expect((await refusal(folder.deliver(message))).code).to.equal('mail_failed')
      expect(files()).to.have.length(2)
    })

    it('keeps each mail as a file for the owner only, and the log says where', async () => {
      const { file = '', messageId } = await open().send(MESSAGE)
      expect(file).to.match(/\.eml$/)
      expect(statSync(file).mode & 0o777).to.equal(0o600)
      expect(statSync(join(siteDir, 'mail')).mode & 0o777).to.equal(0o700)
      expect(logged.join('')).to.include(file).and.not.include('ada@')
      const source = read()
      expect(source).to.include(`Message-ID: ${messageId}`)
      expect(source).to.include('To: ada@example.org\r\n')
      expect(source).to.include('From: "Gazette, \\"daily\\"" <admin@localhost>\r\n')
      expect(source).to.include('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n')
    })

    it('gives names that sort by the time of sending', async () => {
      const mail = open()
      const names: string[] = []
      for (let index = 0; index < 20; index++) {
        names.push((await mail.send({ ...MESSAGE, subject: `number ${index}` })).file ?? '')
      }
      expect(names).to.deep.equal([...names].sort())
      expect(new Set(names).size).to.equal(20)
      expect(files()).to.have.length(20)
    })

    it('writes text, HTML, attachments, headers, Reply-To and another sender', async () => {
      await open().send({
        to: ['Ada <ada@example.org>', 'bob@example.org'],
        from: 'Shop <shop@example.org>',
        replyTo: 'help@example.org',
        subject: 'Order',
        text: 'plain text',
        html: '<p>rich text</p>',
        headers: { 'List-Unsubscribe': '<https://example.org/u>' },
        attachments: [{ filename: 'a.txt', content: 'attached' }],
      })
      const source = read()
      for (const part of [
        'To: Ada <ada@example.org>, bob@example.org',
        'From: Shop <shop@example.org>',
        'Reply-To: help@example.org',
        'List-Unsubscribe: <https://example.org/u>',
        'plain text',
        '<p>rich text</p>',
        'filename=a.txt',
      ]) {
        expect(source).to.include(part)
      }
    })

    it('answers 502 mail_failed when the folder cannot be written', async () => {
      writeFileSync(join(siteDir, 'mail'), 'in the way')
      expect(await refusal(open().send(MESSAGE))).to.include({ code: 'mail_failed', status: 502 })
    })

    describe('line breaks', () => {
      const evil = 'x\r\nBcc: victim@example.org'
      const headers = () => read().split('\r\n\r\n')[0] ?? ''

      it('are stripped from subject, header values, sender name and attachment names', async () => {
        await open().send({
          ...MESSAGE,
          subject: evil,
          headers: { 'X-Note': evil, 'X-Other': 'a\nBcc: victim@example.org' },
          attachments: [{ filename: `${evil}.txt`, content: 'x', contentType: `text/plain${evil}`, cid: evil }],
        })
        expect(read()).not.to.match(/^bcc:/im)
        expect(headers()).to.include('Subject: x Bcc: victim@example.org')
      })

      it('do not get into the subject encoded', async () => {
        await open().send({ ...MESSAGE, subject: 'Hello =?utf-8?Q?x=0d=0aBcc:_victim@example.org?= =?' })
        expect(headers()).not.to.match(/=\?[^\s?]+\?[bq]\?/i)
        expect(headers()).to.include('Subject: Hello = ?utf-8?Q?x=0d=0aBcc:_victim@example.org?= =?')
      })

      it('are refused in addresses and header names', async () => {
        const bad: MailMessage[] = [
          { ...MESSAGE, to: `ada@example.org\r\nBcc: victim@example.org` },
          { ...MESSAGE, to: `Ada\nBcc: victim@example.org <ada@example.org>` },
          { ...MESSAGE, from: `a@example.org\nBcc: victim@example.org` },
          { ...MESSAGE, replyTo: `a@example.org\u0000` },
          { ...MESSAGE, headers: { 'X-A: 1\r\nBcc': 'victim@example.org' } },
        ]
        for (const message of bad) {
          expect(await refusal(open().send(message)), JSON.stringify(message)).to.include({
            code: 'invalid_mail',
            status: 400,
          })
        }
        expect(existsSync(join(siteDir, 'mail'))).to.equal(false)
      })

      it('do not get in through the filter wp_mail either', async () => {
        hooks.addFilter('wp_mail', (message) => ({ ...message, subject: evil, to: `a@example.org\r\n, b@example.org` }))
        expect(await refusal(open().send(MESSAGE))).to.include({ code: 'invalid_mail' })
      })

      it('do not get in through the name of the site', async () => {
        const log = createLog('silent')
        const sender = () => ({ name: evil, address: 'admin@example.org' })
        await createMail({ config: { siteDir }, hooks, log, sender }).send(MESSAGE)
        expect(headers()).not.to.match(/^bcc:/im)
      })
    })

    const invalid: [string, object][] = [
      ['no recipient', { ...MESSAGE, to: [] }],
      ['an empty recipient', { ...MESSAGE, to: ' ' }],
      ['a recipient without a domain', { ...MESSAGE, to: 'ada' }],
      ['a recipient that hides another', { ...MESSAGE, to: '"ada@evil.example x"@example.org' }],
      ['two senders', { ...MESSAGE, from: 'a@example.org, b@example.org' }],
      ['a header that has a field of its own', { ...MESSAGE, headers: { from: 'b@example.org' } }],
      ['a MIME header', { ...MESSAGE, headers: { 'Content-Type': 'text/html' } }],
      ['no subject', { to: 'ada@example.org', text: '' }],
      ['a body that is to be read from a file', { ...MESSAGE, html: { path: '/etc/passwd' } }],
      [
        'an attachment that is to be read from a file',
        { ...MESSAGE, attachments: [{ filename: 'a', path: '/etc/passwd' }] },
      ],
    ]
    for (const [what, message] of invalid) {
      it(`refuses ${what}`, async () => {
        // Extensions in JavaScript are not held back by the types.
        const error = await refusal(Reflect.apply(open().send, undefined, [message]))
        expect(error).to.include({ code: 'invalid_mail', status: 400 })
      })
    }
  })

  describe('hooks', () => {
    it('sends the result of wp_mail and fires wp_mail_succeeded', async () => {
      const seen: unknown[] = []
      hooks.addFilter('wp_mail', async (message) => ({ ...message, subject: 'filtered' }))
      hooks.addAction('wp_mail_succeeded', (message, sent) => void seen.push(message.subject, sent))
      const sent = await open().send(MESSAGE)
      expect(readFileSync(sent.file ?? '', 'utf8')).to.include('Subject: filtered')
      expect(seen).to.deep.equal(['filtered', sent])
    })

    it('fires wp_mail_failed and rejects with the same error, whatever the callback does', async () => {
      const seen: unknown[] = []
      hooks.addAction('wp_mail_failed', (error, message) => {
        seen.push(error, message)
        throw new RestError('other', 'Other.', { status: 418 })
      })
      const message = { ...MESSAGE, to: 'nobody' }
      const error = await refusal(open().send(message))
      expect(error.code).to.equal('invalid_mail')
      expect(seen).to.deep.equal([error, message])
    })

    it('lets wp_mail refuse', async () => {
      hooks.addFilter('wp_mail', () => {
        throw new RestError('mail_off', 'No mail today.', { status: 409 })
      })
      expect(await refusal(open().send(MESSAGE))).to.include({ code: 'mail_off' })
    })
  })

  describe('over SMTP', () => {
    let server: SMTPServer
    let received: Received[]
    let url: string

    beforeEach(async () => {
      received = []
      server = new SMTPServer({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth({ username, password }, _session, done) {
          if (username === 'user' && password === PASSWORD) done(null, { user: 'user' })
          else done(new Error(`Wrong password ${password}`))
        },
        onRcptTo({ address }, _session, done) {
          done(address.startsWith('unknown') ? new Error(`No such user, ${PASSWORD}`) : null)
        },
        onData(stream, { envelope }, done) {
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('end', () => {
            received.push({
              from: envelope.mailFrom ? envelope.mailFrom.address : '',
              to: envelope.rcptTo.map(({ address }) => address),
              source: Buffer.concat(chunks).toString(),
            })
            done(null)
          })
        },
      })
      server.on('error', () => {})
      const listening = server.listen(0, '127.0.0.1')
      await once(listening, 'listening')
      url = `127.0.0.1:${portOf(listening)}`
    })
    afterEach(() => new Promise<void>((done) => server.close(done)))

    const login = `user:${encodeURIComponent(PASSWORD)}`
    const keepsSecrets = (error: RestError) => {
      for (const text of [...logged, JSON.stringify(error), error.message, String(error.stack)]) {
        for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), btoa(PASSWORD), btoa(`\0user\0${PASSWORD}`)]) {
          expect(text).not.to.include(secret)
        }
      }
    }

    it('signs in, sends, and keeps no file', async () => {
      const mail = open(`smtp://${login}@${url}`)
      const sent = await mail.send({ ...MESSAGE, to: ['ada@example.org', 'Bob <bob@example.org>'] })
      await mail.close()
      expect(sent).to.have.all.keys('messageId', 'response')
      expect(received).to.have.length(1)
      expect(received[0]).to.deep.include({ from: 'admin@localhost', to: ['ada@example.org', 'bob@example.org'] })
      expect(received[0]?.source).to.include('Hello\r\nthere').and.include(sent.messageId)
      expect(readdirSync(siteDir)).to.deep.equal([])
    })

    it('sends many at once', async () => {
      const mail = open(`smtp://${login}@${url}`)
      await Promise.all(Array.from({ length: 20 }, (_, index) => mail.send({ ...MESSAGE, subject: `number ${index}` })))
      expect(received).to.have.length(20)
    })

    it('answers 502 mail_failed without the password when it is wrong', async () => {
      const error = await refusal(open(`smtp://user:wrong-secret@${url}`).send(MESSAGE))
      expect(error).to.include({ code: 'mail_failed', status: 502 })
      expect(error.data).to.deep.equal({ status: 502, reason: 'EAUTH', smtpStatus: 535 })
      expect(JSON.stringify(error) + logged.join('')).not.to.include('wrong-secret')
      keepsSecrets(error)
    })

    it('answers 502 mail_failed when the server refuses the recipient, not in its words', async () => {
      const error = await refusal(open(`smtp://${login}@${url}`).send({ ...MESSAGE, to: 'unknown@example.org' }))
      expect(error.data).to.deep.equal({ status: 502, reason: 'EENVELOPE', smtpStatus: 550 })
      keepsSecrets(error)
    })

    it('warns when a part of the recipients is refused', async () => {
      await open(`smtp://${login}@${url}`).send({ ...MESSAGE, to: 'unknown@example.org, ada@example.org' })
      expect(received[0]?.to).to.deep.equal(['ada@example.org'])
      expect(logged.join('')).to.include('not delivered to all').and.not.include('unknown@')
    })

    it('responds with 502 mail_failed if the mail server is unreachable', async () => {
      const closed = await listen(createServer())
      const port = portOf(closed)
      await new Promise((done) => closed.close(done))
      const error = await refusal(open(`smtp://${login}@127.0.0.1:${port}`).send(MESSAGE))
      expect(error.data).to.deep.equal({ status: 502, reason: 'ESOCKET' })
      keepsSecrets(error)
    })

    for (const [what, talk] of [
      ['never says a word', () => undefined],
      ['goes on talking but never comes to the point', () => '220-wait\r\n'],
    ] as const) {
      it(`gives up on a server that ${what}`, async () => {
        const silent = await listen(
          createServer((socket) => {
            const timer = setInterval(() => {
              const words = talk()
              if (words !== undefined) socket.write(words)
            }, 20)
            socket.on('error', () => {})
            socket.on('close', () => clearInterval(timer))
          }),
        )
        const error = await refusal(open(`smtp://${login}@127.0.0.1:${portOf(silent)}`, 200).send(MESSAGE))
        expect(error).to.include({ code: 'mail_failed', status: 502 })
        expect(error.data.reason).to.equal('ETIMEDOUT')
        keepsSecrets(error)
        await new Promise((done) => silent.close(done))
      })
    }
  })
})

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
