import { join } from 'node:path'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { filterShapes } from './hooks.ts'
import { type Address, checkMessage } from './message.ts'
import type { Delivery } from './smtp.ts'
import type { Mail, MailMessage } from './types.ts'

export type * from './types.ts'

/** Long enough for greylisting servers, which delay new clients; in milliseconds. */
const TIME_LIMIT = 30_000

/**
 * The site's outgoing mail: over `smtpUrl`, or as files in the folder `mail` of the site. Sending takes as long as the server does, so
 * requests should queue it as a job.
 */
export function createMail({
  config,
  hooks,
  log,
  sender,
  timeLimit = TIME_LIMIT,
}: {
  config: { readonly siteDir: string; readonly smtpUrl?: string | undefined }
  hooks: Hooks
  log: Logger
  sender: () => Address
  timeLimit?: number
}): Mail & { close(): Promise<void> } {
  hooks.declareFilters(filterShapes)
  let delivery: Promise<Delivery> | undefined

  /** Loaded with the first mail: a start need not wait for it. */
  async function open(): Promise<Delivery> {
    if (config.smtpUrl === undefined) {
      return (await import('./mail-folder.ts')).createMailFolder(join(config.siteDir, 'mail'), log)
    }
    return (await import('./smtp.ts')).createSmtp(config.smtpUrl, timeLimit, log)
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
      delivery ??= open()
      return await (await delivery).deliver(checked)
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
    usesSmtp: () => config.smtpUrl !== undefined,
    async close() {
      ;(await delivery)?.close()
    },
  }
}
