import { createTransport } from 'nodemailer'
import { RestError } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'
import type { PageTexts } from '../text/translations.ts'
import type { CheckedMessage } from './message.ts'
import type { SentMail, SmtpServer } from './types.ts'

/** A mail transport. */
export interface Delivery {
  /**
   * @param options.quotesIn quotes in an error, in these texts, what the server said, without the password; only for administrators
   * @throws RestError 502 `mail_failed`
   */
  deliver(message: CheckedMessage, options?: { readonly quotesIn?: PageTexts }): Promise<SentMail>
  close(): void | Promise<void>
}

/**
 * Sends over an SMTP server.
 * @param server - The server, or its URL: `smtp://user:password@host:587`, or `smtps://` for implicit TLS.
 * @param timeLimit - Milliseconds for the connection, the greeting, each idle period, and in total.
 */
export function createSmtp(server: string | SmtpServer, timeLimit: number, log: Logger): Delivery {
  const secrets = secretsOf(server)
  const transport = createTransport({
    ...connectionOf(server),
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
    dnsTimeout: timeLimit,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    close: () => transport.close(),
    async deliver(message, { quotesIn } = {}) {
      // A server that says a little now and then would never run into the limits of the connection.
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), timeLimit)
      try {
        const { messageId, rejected, response } = await Promise.race([transport.sendMail(message), late])
        if (rejected.length > 0) log.warn({ rejected: rejected.length }, 'mail not delivered to all recipients')
        return { messageId, response }
      } catch (error) {
        throw quotesIn ? quotedFailure(error, secrets, quotesIn) : mailFailed(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function connectionOf(server: string | SmtpServer) {
  if (typeof server === 'string') return { url: server }
  const { host, port, security, user, password } = server
  return {
    ...{ host, port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(user !== '' && { auth: { user, pass: password } }),
  }
}

/** The password, and the forms in which the protocol sends it (RFC 4616, RFC 4954), as servers may repeat what they received. */
function secretsOf(server: string | SmtpServer): string[] {
  const url = typeof server === 'string' ? new URL(server) : undefined
  const user = typeof server === 'string' ? decodeURIComponent(url?.username ?? '') : server.user
  const password = typeof server === 'string' ? decodeURIComponent(url?.password ?? '') : server.password
  if (password === '') return []
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
  return [password, encodeURIComponent(password), ...encoded]
}

/** The error of a test, with the words of the server, which say what to change. */
function quotedFailure(error: unknown, secrets: readonly string[], texts: PageTexts): RestError {
  const { __ } = texts
  const failure = mailFailed(error)
  const spoken =
    error instanceof Error && 'response' in error && typeof error.response === 'string' ? error.response : ''
  const words = spoken || (error instanceof Error ? error.message : String(error))
  const quoted = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words).slice(0, 1000)
  const sentence = /[.!?]$/.test(quoted) ? quoted : `${quoted}.`
  const advice = adviceFor(String(failure.data.reason), texts)
  const rest = advice ? `${sentence} ${advice}` : sentence
  const message =
    spoken === ''
      ? __('The email could not be sent: %s', rest)
      : __('The email could not be sent. The server responded: %s', rest)
  return new RestError('mail_failed', message, failure.data)
}

/** What to check, by the codes of nodemailer. */
function adviceFor(code: string, { __ }: PageTexts): string | undefined {
  switch (code) {
    case 'EAUTH':
      return __('Check the username and password.')
    case 'ECONNECTION':
      return __('Check the SMTP server and the port.')
    case 'EDNS':
      return __('Check the name of the SMTP server.')
    case 'EENVELOPE':
      return __('Check the sender address.')
    case 'ESOCKET':
    case 'ETIMEDOUT':
      return __('Check the SMTP server, the port, and the encryption.')
    case 'ETLS':
      return __('Check the port and the encryption.')
  }
}

/** Only the codes: the server's message may repeat what it received, the password too. */
export function mailFailed(error: unknown): RestError {
  const reason = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return new RestError('mail_failed', 'The email could not be sent.', {
    status: 502,
    reason,
    ...(typeof code === 'number' ? { smtpStatus: code } : {}),
  })
}
