import { createTransport } from 'nodemailer'
import { RestError } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'
import type { CheckedMessage } from './message.ts'
import type { SentMail } from './types.ts'

/** A mail transport. */
export interface Delivery {
  deliver(message: CheckedMessage): Promise<SentMail>
  close(): void
}

/**
 * Sends over the server of an SMTP URL: `smtp://user:password@host:587`, or `smtps://` for implicit TLS.
 * @param timeLimit - Milliseconds for the connection, the greeting, each idle period, and in total.
 */
export function createSmtp(smtpUrl: string, timeLimit: number, log: Logger): Delivery {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
    dnsTimeout: timeLimit,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    close: () => transport.close(),
    async deliver(message) {
      // A server that says a little now and then would never run into the limits of the connection.
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), timeLimit)
      try {
        const { messageId, rejected } = await Promise.race([transport.sendMail(message), late])
        if (rejected.length > 0) log.warn({ rejected: rejected.length }, 'mail not delivered to all recipients')
        return { messageId }
      } catch (error) {
        throw mailFailed(error)
      } finally {
        clearTimeout(timer)
      }
    },
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
