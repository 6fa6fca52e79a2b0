import type { Attachment } from 'nodemailer/lib/mailer/index.js'

export interface MailMessage {
  readonly to: string | readonly string[]
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** Default: the site's title and administrator's address. */
  readonly from?: string | undefined
  readonly replyTo?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly attachments?: readonly Attachment[] | undefined
}

export interface Mail {
  /**
   * Passes the message through the filter `wp_mail` and sends it, or writes it as an `.eml` file where
   * no SMTP server is configured. Fires `wp_mail_failed` and rejects if it can't be delivered.
   * Line breaks never reach a header.
   */
  send(message: MailMessage): Promise<{ messageId: string; file?: string }>
}
