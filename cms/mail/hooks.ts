import type { RestError } from '../../core/errors.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { mailMessageShape } from './message-shape.ts'
import type { MailMessage, SentMail } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters a message before it is checked and sent. Throw a `RestError` to prevent sending.
     *
     * @param message - The message that was passed to `mail.send`.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'mail-prefix',
     *   name: 'Mail prefix',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('wp_mail', (message) => ({ ...message, subject: `[Staging] ${message.subject}` }))
     *   },
     * })
     * ```
     */
    wp_mail: [message: MailMessage]
  }

  interface AsyncActions {
    /**
     * Fires when a message cannot be sent: it is invalid, or the SMTP server is unreachable or rejects it.
     *
     * @param error - Error with the code `invalid_mail` or `mail_failed`; contains no credentials.
     * @param message - The message after the `wp_mail` filter.
     * @since 0.1.0
     */
    wp_mail_failed: [error: RestError, message: MailMessage]

    /**
     * Fires after the SMTP server accepts a message, or its `.eml` file is written.
     *
     * @param message - The message after the `wp_mail` filter.
     * @param sent - Message ID, and the path if the message was stored as a file.
     * @since 0.1.0
     */
    wp_mail_succeeded: [message: MailMessage, sent: SentMail]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  wp_mail: mailMessageShape,
} satisfies FilterShapes
