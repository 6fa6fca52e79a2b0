import { type ExtensionHost, type MailMessage, plainText } from 'pentad'
import { z } from 'zod'
import './hooks.ts'
import type { ContactSubmission } from './types.ts'

const text = z.string()
const textByName = z.record(z.string(), z.string())

/**
 * Builds the email of a submission and applies the filters. Invalid filter results are ignored; the mail service
 * removes or rejects line breaks in headers.
 */
export async function composeContactMail(
  { content, hooks, site }: Pick<ExtensionHost, 'content' | 'hooks' | 'site'>,
  submission: ContactSubmission,
  recipient: string,
): Promise<MailMessage> {
  const { name, email, message, pageUrl } = submission
  const subject = `[${plainText(content.siteSettings().title)}] ${submission.subject || `Message from ${name}`}`
  const sender = [`${name} <${email}>`, pageUrl, `Sent from the contact form on ${site.url}`].filter(Boolean)
  const body = `${message}\n\n-- \n${sender.join('\n')}\n`
  const headers = { 'Reply-To': email }

  // In sequence.
  const filtered = {
    to: await hooks.applyFiltersAsync('ai_helpdesk_contact_recipient', recipient, submission),
    subject: await hooks.applyFiltersAsync('ai_helpdesk_contact_subject', subject, submission),
    text: await hooks.applyFiltersAsync('ai_helpdesk_contact_body', body, submission),
    headers: await hooks.applyFiltersAsync('ai_helpdesk_contact_headers', headers, submission),
  }
  const { 'reply-to': replyTo, ...others } = lowerCased(valid(textByName, filtered.headers, headers))
  return {
    to: valid(text, filtered.to, recipient),
    subject: valid(text, filtered.subject, subject),
    text: valid(text, filtered.text, body),
    headers: others,
    replyTo,
  }
}

function valid<Value>(schema: z.ZodType<Value>, result: unknown, before: Value): Value {
  return schema.safeParse(result).data ?? before
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
