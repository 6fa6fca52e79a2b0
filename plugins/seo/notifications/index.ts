import { createRateLimit, type ExtensionHost, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { SeoSettings } from '../settings.ts'

/** Enough to correct an address without flooding the recipient. */
const PER_MINUTE = 5

/** `POST /notifications/test`: sends a test email to the recipients and returns the result. */
export function registerNotifications(
  host: ExtensionHost,
  { settings }: { settings: () => Pick<SeoSettings, 'notificationEmail'> },
): void {
  const limit = createRateLimit({
    points: PER_MINUTE,
    seconds: 60,
    message: 'Too many test emails. Try again in a minute.',
    shared: { name: 'seo-test-email', store: host.rateLimitStore },
  })

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/notifications/test',
    access: 'manage_options',
    summary: 'Sends a test email to the configured recipients.',
    response: successSchema(
      z.object({
        sent: z.literal(true),
        recipient: z.string(),
        storedAsFile: z
          .boolean()
          .describe('Whether the email was only stored as a file, because no SMTP server is configured.'),
      }),
    ),
    async handler({ clientAddress }) {
      const { title, adminEmail } = host.content.siteSettings()
      const recipient = settings().notificationEmail || adminEmail
      if (recipient === '') {
        throw new RestError('no_recipient', 'There are no recipients. Set an email address first.', { status: 409 })
      }
      await limit.consume(clientAddress)
      const { __, language } = await host.textsFor(await host.auth.users.getByEmail(recipient))
      const message = {
        to: recipient,
        subject: __('[%s] Test email', title),
        text: __('This is a test email from %s. Email delivery works.', host.site.url),
      }
      const { file } = await host.mail.send(message, { language })
      return success({ sent: true, recipient, storedAsFile: file !== undefined })
    },
  })
}
