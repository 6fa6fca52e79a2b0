import { headers, listOf, membersOf } from '../../core/hooks/value-checks.ts'
import type { MailAttachment, MailMessage } from './types.ts'

const attachment = membersOf<MailAttachment>(
  { contentType: 'string', cid: 'string' },
  { filename: 'string', content: ['string', 'object'] },
)

/** What a filter of a message may return. Whether it can be sent to anybody, `mail.send` says. */
export const mailMessageShape = membersOf<MailMessage>(
  { text: 'string', html: 'string', from: 'string', replyTo: 'string', headers, attachments: listOf(attachment) },
  { to: ['string', listOf('string')], subject: 'string' },
)
