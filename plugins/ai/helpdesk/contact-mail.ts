import { type ExtensionHost, type MailMessage, plainText } from 'pentad'
import { z } from 'zod'
import './hooks.ts'
import type { ContactSubmission } from './types.ts'

const text = z.string()
const textByName = z.record(z.string(), z.string())

/**
 * Builds the email of a submission, in the language of the recipient, and applies the filters. Invalid filter results
 * are ignored; the mail service removes or rejects line breaks in headers.
 */
export async function composeContactMail(
  { auth, content, hooks, site, textsFor }: Pick<ExtensionHost, 'auth' | 'content' | 'hooks' | 'site' | 'textsFor'>,
  submission: ContactSubmission,
  recipient: string,
): Promise<{ message: MailMessage; language: string }> {
  const { name, email, message, pageUrl } = submission
  const filteredTo = await hooks.applyFiltersAsync('ai_helpdesk_contact_recipient', recipient, submission)
  const to = valid(text, filteredTo, recipient)
  const { __, language } = await textsFor(await auth.users.getByEmail(to))
  const subject = `[${plainText(content.siteSettings().title)}] ${submission.subject || __('Message from %s', name)}`
  const sender = [`${name} <${email}>`, pageUrl, __('Sent from the contact form on %s', site.url)].filter(Boolean)
  const body = `${message}\n\n-- \n${sender.join('\n')}\n`
  const headers = { 'Reply-To': email }

  // In sequence.
  const filtered = {
    subject: await hooks.applyFiltersAsync('ai_helpdesk_contact_subject', subject, submission),
    text: await hooks.applyFiltersAsync('ai_helpdesk_contact_body', body, submission),
    headers: await hooks.applyFiltersAsync('ai_helpdesk_contact_headers', headers, submission),
  }
  const { 'reply-to': replyTo, ...others } = lowerCased(valid(textByName, filtered.headers, headers))
  const mail = {
    to,
    subject: valid(text, filtered.subject, subject),
    text: valid(text, filtered.text, body),
    headers: others,
    replyTo,
  }
  return { message: mail, language }
}

function valid<Value>(schema: z.ZodType<Value>, result: unknown, before: Value): Value {
  return schema.safeParse(result).data ?? before
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
