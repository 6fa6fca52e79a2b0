import { join } from 'node:path'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { filterShapes } from './hooks.ts'
import { type Address, checkMessage } from './message.ts'
import type { Delivery, SmtpServer } from './smtp.ts'
import type { HostMail, MailMessage } from './types.ts'

export { registerMailRoute } from './routes.ts'
export { mailSettings, serverOf } from './settings.ts'
export type * from './types.ts'

/** Long enough for greylisting servers, which delay new clients; in milliseconds. */
const TIME_LIMIT = 30_000

/**
 * The site's outgoing mail: over `smtpUrl`, or else over the server in the settings, or else as files in the `mail` folder of the site.
 * Sending takes as long as the server does, so requests should queue it as a job.
 *
 * @param parts.server the server in the settings, read for each message
 */
export function createMail({
  config,
  hooks,
  log,
  sender,
  server = () => undefined,
  timeLimit = TIME_LIMIT,
}: {
  config: { readonly siteDir: string; readonly smtpUrl?: string | undefined }
  hooks: Hooks
  log: Logger
  sender: () => Address
  server?: () => SmtpServer | undefined
  timeLimit?: number
}): HostMail {
  hooks.declareFilters(filterShapes)
  let delivery: { readonly key: string; readonly opened: Promise<Delivery> } | undefined
  const target = () => config.smtpUrl ?? server()

  /** Loaded with the first mail: a start need not wait for it. */
  async function open(to: string | SmtpServer | undefined): Promise<Delivery> {
    if (to === undefined) {
      return (await import('./mail-folder.ts')).createMailFolder(join(config.siteDir, 'mail'), log)
    }
    return (await import('./smtp.ts')).createSmtp(to, timeLimit, log)
  }

  /** Opened again when the settings change. */
  function current(): Promise<Delivery> {
    const to = target()
    const key = JSON.stringify(to ?? null)
    if (delivery?.key !== key) {
      void close()
      delivery = { key, opened: open(to) }
    }
    return delivery.opened
  }

  async function close(): Promise<void> {
    ;(await delivery?.opened)?.close()
  }

  async function send(original: MailMessage) {
    const message = await hooks.applyFiltersAsync('wp_mail', original)
    const sent = await attempt(message)
    await notify('wp_mail_succeeded', () => hooks.doActionAsync('wp_mail_succeeded', message, sent))
    return sent
  }

  async function attempt(message: MailMessage) {
    try {
      const checked = checkMessage(message, sender())
      return await (await current()).deliver(checked)
    } catch (error) {
      if (error instanceof RestError) {
        log.error({ code: error.code, reason: error.data.reason ?? error.message }, 'mail not sent')
        await notify('wp_mail_failed', () => hooks.doActionAsync('wp_mail_failed', error, message))
      }
      throw error
    }
  }

  /** Errors of callbacks do not affect whether the mail was sent. */
  async function notify(hook: string, dispatch: () => Promise<void>): Promise<void> {
    try {
      await dispatch()
    } catch (error) {
      log.error({ err: error, hook }, 'mail callback failed')
    }
  }

  return {
    send,
    usesSmtp: () => target() !== undefined,
    async test(to) {
      const { name } = sender()
      const text = 'This is a test email. If you can read it, your site can send email.'
      const message = checkMessage({ to, subject: `[${name}] Test email`, text }, sender())
      return (await current()).deliver(message, { quotesServer: true })
    },
    close,
  }
}
