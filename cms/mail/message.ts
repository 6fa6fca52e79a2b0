import { Readable } from 'node:stream'
import addressparser from 'nodemailer/lib/addressparser'
import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { Address, MailMessage } from './types.ts'

/** A message that is safe to pass to nodemailer: addresses are parsed, and no header contains a line break. */
export interface CheckedMessage {
  readonly from: Address
  readonly to: Address[]
  readonly replyTo: Address[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly headers: { key: string; value: string }[]
  readonly attachments: {
    filename: string
    content: string | Buffer | Readable
    contentType: string | undefined
    cid: string | undefined
  }[]
}

/** Everything below space, and DEL: line breaks and NUL among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/
/** RFC 5322's dot-atom, with letters of RFC 6531; no quoted local parts, which can conceal second addresses. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
/** RFC 5322 allows more, which is not used in practice. */
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/
/** Headers that have a field of their own in the message, or that decide how it is read. */
const OWN_HEADERS = /^(from|to|sender|reply-to|return-path|subject|date|message-id|mime-version|content-.*)$/i

export const mailMessage = z.object({
  to: z.union([z.string(), z.array(z.string())]),
  subject: z.string(),
  text: z.string().optional(),
  html: z.string().optional(),
  from: z.string().optional(),
  replyTo: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  attachments: z
    .array(
      z.object({
        filename: z.string(),
        content: z.union([z.string(), z.instanceof(Buffer), z.instanceof(Readable)]),
        contentType: z.string().optional(),
        cid: z.string().optional(),
      }),
    )
    .default([]),
})

/**
 * Checks the result of the `wp_mail` filter, which can be anything. Line breaks are removed from subjects and header values; addresses and
 * names with line breaks are rejected as header injection.
 */
export function checkMessage(message: MailMessage, sender: Address): CheckedMessage {
  const parsed = mailMessage.safeParse(message)
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map((issue) => issue.path.join('.') || 'message'))
    throw invalidMail(`Invalid or missing email fields: ${[...fields].join(', ')}.`)
  }
  const { to, from, replyTo, subject, text, html, headers, attachments } = parsed.data
  const recipients = (typeof to === 'string' ? [to] : to).flatMap((list) => parseAddresses(list, 'to'))
  if (recipients.length === 0) throw invalidMail('The email has no recipient.')
  const [author = { name: withoutControls(sender.name), address: checkAddress(sender.address, 'from') }, ...others] =
    from === undefined ? [] : parseAddresses(from, 'from')
  if (others.length > 0) throw invalidMail('The email has more than one sender.')
  return {
    from: author,
    to: recipients,
    replyTo: replyTo === undefined ? [] : parseAddresses(replyTo, 'replyTo'),
    subject: asWritten(withoutControls(subject)),
    text,
    html,
    headers: Object.entries(headers).map(([key, value]) => ({
      key: checkHeaderName(key),
      value: withoutControls(value),
    })),
    attachments: attachments.map((attachment) => ({
      filename: withoutControls(attachment.filename),
      content: attachment.content,
      contentType: attachment.contentType === undefined ? undefined : withoutControls(attachment.contentType),
      cid: attachment.cid === undefined ? undefined : withoutControls(attachment.cid),
    })),
  }
}

function parseAddresses(list: string, field: string): Address[] {
  if (CONTROL.test(list)) throw invalidMail(`An address in ${field} contains a line break.`)
  return addressparser(list, { flatten: true }).map(({ name, address }) => ({
    name,
    address: checkAddress(address, field),
  }))
}

function checkAddress(address: string, field: string): string {
  if (!CONTROL.test(address) && ADDRESS.test(address)) return address
  throw invalidMail(`An address in ${field} is not valid.`)
}

function checkHeaderName(name: string): string {
  if (!HEADER_NAME.test(name)) throw invalidMail('A header name is not valid.')
  if (OWN_HEADERS.test(name))
    throw invalidMail(`The header ${name} cannot be set directly. Use the corresponding field of the message.`)
  return name
}

/**
 * Text that looks like an encoded word (RFC 2047), so that mail readers do not decode it: its content, line breaks
 * too, was not checked.
 */
function asWritten(text: string): string {
  return text.replaceAll(/=\?(?=[^\s?]+\?[bq]\?)/gi, '= ?')
}

/** Replaces control characters, which could start another header, with spaces. */
function withoutControls(text: string): string {
  return text
    .split(CONTROL)
    .filter((part) => part !== '')
    .join(' ')
    .trim()
}

function invalidMail(message: string): RestError {
  return new RestError('invalid_mail', message, { status: 400 })
}
