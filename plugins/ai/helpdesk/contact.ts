import { type ExtensionHost, line, type MailMessage, RestError, sameOriginOnly, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { ContactForms } from './contact-form.ts'
import { composeContactMail } from './contact-mail.ts'
import { requireHelpdesk } from './errors.ts'
import { ownPage, pageUrlField, visitorText } from './fields.ts'
import { type FormAge, MINIMUM_TIME } from './form-age.ts'
import { createHelpdeskLimit } from './rate-limit.ts'
import type { HelpdeskSettings } from './settings.ts'

/** Rate limit key for submissions without a form, from any network: attackers can use many machines. */
const WITHOUT_FORM = 'without a form'
/** Characters that could hide a second address in a header. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u
/**
 * Text that could disguise an address: encoded words (RFC 2047) and invisible characters, except for the two joiners
 * that some scripts require.
 */
const DISGUISE = /=\?|[\p{C}--[\u200C\u200D]]/v

const submission = z.object({
  name: line(100).min(1).describe('Name of the sender.'),
  email: z
    .email({ pattern: z.regexes.unicodeEmail })
    .max(254)
    .regex(ADDRESS)
    .refine((address) => !DISGUISE.test(address), 'It must be a valid email address.')
    .describe('Email address for the reply.'),
  message: visitorText(5000).describe('Message as plain text.'),
  subject: line(150).default(''),
  pageUrl: pageUrlField,
  formToken: z
    .string()
    .max(100)
    .default('')
    .describe('Nonce from `GET /helpdesk-agent/nonce`, requested when the form was opened.'),
  form: z
    .string()
    .max(100)
    .default('')
    .describe('Token of the contact form block; not needed while the helpdesk is on.'),
  website: z.unknown().optional().describe('Honeypot field; must be empty.'),
})

/** `POST /ai/v1/helpdesk-agent/contact`: emails the message of a visitor. */
export function registerContact(
  host: ExtensionHost,
  { settings, formAge, forms }: { settings: () => HelpdeskSettings; formAge: FormAge; forms: ContactForms },
): void {
  const { content, log, mail, rest, site } = host
  const limit = createHelpdeskLimit(settings, 'Too many messages. Try again in a few minutes.', {
    name: 'helpdesk-contact',
    store: host.rateLimitStore,
  })

  rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/helpdesk-agent/contact',
    ...sameOriginOnly(site.url),
    summary: "Emails a visitor's message from the contact form.",
    input: submission,
    response: successSchema(z.object({ sent: z.literal(true) })),
    async handler({ input, clientAddress }) {
      if (!forms.isToken(input.form)) requireHelpdesk(settings().helpdeskAgent)
      const age = formAge.of(input.formToken)
      await limit.consume(age === undefined ? WITHOUT_FORM : clientAddress)
      // Bots must not learn how they were detected.
      if (isFilled(input.website)) return success({ sent: true })
      if (age !== undefined && age < MINIMUM_TIME) throw tooQuick(age)
      const { name, email, message, subject } = input
      const pageUrl = ownPage(input.pageUrl, site.url)
      const recipient = settings().helpdeskEmail || content.siteSettings().adminEmail
      const composed = await composeContactMail(host, { name, email, message, subject, pageUrl }, recipient)
      await send(composed.message, composed.language)
      return success({ sent: true })
    },
  })

  /**
   * @throws RestError 502 `mail_failed`, even if a filter returned an invalid email, which is not the fault of the
   * visitor
   */
  async function send(message: MailMessage, language: string): Promise<void> {
    try {
      await mail.send(message, { language })
    } catch (error) {
      if (!(error instanceof RestError) || error.code !== 'invalid_mail') throw error
      log.error({ err: error }, 'helpdesk filters returned an invalid email')
      throw new RestError('mail_failed', 'The email could not be sent. Try again later.', {
        status: 502,
        reason: 'invalid_mail',
      })
    }
  }
}

function isFilled(honeypot: unknown): boolean {
  return honeypot !== undefined && honeypot !== null && honeypot !== ''
}

function tooQuick(age: number): RestError {
  const seconds = Math.ceil((MINIMUM_TIME - age) / 1000)
  const message = 'The form was submitted too quickly. Please submit it again.'
  return new RestError('ai_helpdesk_too_quick', message, { status: 429 }, { 'Retry-After': String(seconds) })
}
