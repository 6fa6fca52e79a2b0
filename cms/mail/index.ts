import { join } from 'node:path'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { direction } from '../text/language.ts'
import { filterShapes } from './hooks.ts'
import type { MailLog, MailOutcome } from './mail-log.ts'
import { checkMessage } from './message.ts'
import type { Delivery } from './smtp.ts'
import { type MailLook, mailHtml } from './template.ts'
import type { Address, HostMail, MailMessage, MailOptions, SmtpServer } from './types.ts'

export { createMailLog } from './mail-log.ts'
export { registerMailRoutes } from './routes.ts'
export { mailSettings, serverOf, withChanges } from './settings.ts'
export { mailTables } from './tables.ts'
export type * from './types.ts'

/** Long enough for greylisting servers, which delay new clients; in milliseconds. */
const TIME_LIMIT = 30_000

/**
 * The site's outgoing mail: over `smtpUrl`, or else over the server in the settings, or else as files in the `mail` folder of the site.
 * Sending takes as long as the server does, so requests should queue it as a job.
 *
 * @param parts.server the server in the settings, read for each message
 * @param parts.mailLog records what was sent
 * @param parts.look adds an HTML part in the look of the site to messages that have only text
 */
export function createMail({
  config,
  hooks,
  log,
  sender,
  server = () => undefined,
  timeLimit = TIME_LIMIT,
  mailLog,
  look,
}: {
  config: { readonly siteDir: string; readonly smtpUrl?: string | undefined }
  hooks: Hooks
  log: Logger
  sender: () => Address
  server?: () => SmtpServer | undefined
  timeLimit?: number
  mailLog?: MailLog
  look?: () => Promise<MailLook>
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
    await (await delivery?.opened)?.close()
  }

  async function send(original: MailMessage, { isSecret = false, language }: MailOptions = {}) {
    const message = await hooks.applyFiltersAsync('wp_mail', original)
    return attempt(message, (outcome) => mailLog?.add(message, outcome, isSecret), language)
  }

  async function designed(message: MailMessage, language?: string): Promise<MailMessage> {
    if (!look || typeof message.text !== 'string' || message.html !== undefined) return message
    const own = language === undefined ? undefined : { language, direction: direction(language) }
    return { ...message, html: mailHtml(String(message.subject), message.text, { ...(await look()), ...own }) }
  }

  async function attempt(
    message: MailMessage,
    record: (outcome: MailOutcome) => Promise<void> | undefined,
    language?: string,
  ) {
    try {
      const checked = checkMessage(await designed(message, language), sender())
      const sent = await (await current()).deliver(checked)
      await recorded(record({ state: sent.file === undefined ? 'sent' : 'stored' }))
      await notify('wp_mail_succeeded', () => hooks.doActionAsync('wp_mail_succeeded', message, sent))
      return sent
    } catch (error) {
      if (error instanceof RestError) {
        const reason = String(error.data.reason ?? error.message)
        log.error({ code: error.code, reason }, 'mail not sent')
        const status = error.data.smtpStatus === undefined ? '' : ` (${error.data.smtpStatus})`
        await recorded(record({ state: 'failed', error: reason + status }))
        await notify('wp_mail_failed', () => hooks.doActionAsync('wp_mail_failed', error, message))
      }
      throw error
    }
  }

  /** An error of the log does not affect whether the mail was sent. */
  async function recorded(writing: Promise<void> | undefined): Promise<void> {
    await writing?.catch((error: unknown) => log.error({ err: error }, 'mail not logged'))
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
    async test(to, texts, entered) {
      const from = entered?.sender ?? sender()
      const { __, language } = texts
      const subject = __('[%s] Test email', from.name)
      const text = __('This is a test email. If you can read it, your site can send email.')
      const message = checkMessage(await designed({ to, subject, text }, language), from)
      if (!entered) return (await current()).deliver(message, { quotesIn: texts })
      const opened = await open(config.smtpUrl ?? entered.server)
      try {
        return await opened.deliver(message, { quotesIn: texts })
      } finally {
        await opened.close()
      }
    },
    async resend(id) {
      if (!mailLog) throw new RestError('mail_not_found', 'The email is not in the log.', { status: 404 })
      return attempt(await mailLog.messageOf(id), (outcome) => mailLog.update(id, outcome))
    },
    close,
  }
}
