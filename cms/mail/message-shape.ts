import { headers, listOf, membersOf } from '../../core/hooks/value-checks.ts'
import type { MailAttachment, MailMessage } from './types.ts'

const attachment = membersOf<MailAttachment>(
  { contentType: 'string', cid: 'string' },
  { filename: 'string', content: ['string', 'object'] },
)

/** Run-time shape of a filtered message; `mail.send` checks whether it can be sent. */
export const mailMessageShape = membersOf<MailMessage>(
  { text: 'string', html: 'string', from: 'string', replyTo: 'string', headers, attachments: listOf(attachment) },
  { to: ['string', listOf('string')], subject: 'string' },
)
