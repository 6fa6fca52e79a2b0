import type { Readable } from 'node:stream'
import type { PageTexts } from '../text/translations.ts'

/** An attached file with its content: nothing is read from a path or fetched from a URL. */
export interface MailAttachment {
  readonly filename: string
  readonly content: string | Buffer | Readable
  /** Default: by the file name. */
  readonly contentType?: string | undefined
  /** Name by which the HTML refers to it: `<img src="cid:logo">`. */
  readonly cid?: string | undefined
}

export interface MailMessage {
  /** `ada@example.org`, `Ada <ada@example.org>`, or several. */
  readonly to: string | readonly string[]
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** Default: the site's title and the administrator's email address. */
  readonly from?: string | undefined
  readonly replyTo?: string | undefined
  /** Additional headers. MIME headers, and headers for which the message has a field, are rejected. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly attachments?: readonly MailAttachment[] | undefined
}

/** `file` is the absolute path of the `.eml` file, if no SMTP server is configured; otherwise `response` is what the server responded. */
export interface SentMail {
  readonly messageId: string
  readonly response?: string
  readonly file?: string
}

export interface MailOptions {
  /** Whether the message contains a secret, such as a login link: the email log then records it without its content. */
  readonly isSecret?: boolean
  /** The language of the message, as a BCP 47 tag. Default: that of the site. */
  readonly language?: string
}

export interface Mail {
  /**
   * Applies the `wp_mail` filter and sends the message, or writes it as an `.eml` file if no SMTP server is configured. Line breaks are
   * never written to headers.
   */
  send(message: MailMessage, options?: MailOptions): Promise<SentMail>
  /** Whether an SMTP server is configured. Otherwise, messages are only stored as files. */
  usesSmtp(): boolean
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `starttls` requires encryption; `tls` is encrypted from the start. */
  readonly security: 'starttls' | 'tls' | 'none'
  /** Empty if the server requires no login. */
  readonly user: string
  readonly password: string
}

export interface Address {
  readonly name: string
  readonly address: string
}

/** A server and a sender that are not stored yet. */
export interface EnteredMailSettings {
  /** `undefined` for none. */
  readonly server: SmtpServer | undefined
  readonly sender: Address
}

/** The site's mail, with what only the host uses. */
export interface HostMail extends Mail {
  /**
   * Sends a test message to one address.
   * @param texts - Those of the message, and of an error.
   * @param entered - Settings to test before they are stored. Default: the stored ones.
   * @throws RestError 502 `mail_failed` with the server's response; 400 `invalid_mail`
   */
  test(to: string, texts: PageTexts, entered?: EnteredMailSettings): Promise<SentMail>
  /**
   * Sends a message of the email log again.
   * @throws RestError 502 `mail_failed`; 404 `mail_not_found`; 409 `mail_not_stored`
   */
  resend(id: number): Promise<SentMail>
  close(): Promise<void>
}
