import { createRateLimit, type ExtensionHost, RestError, success, successAnswer } from 'pentad'
import { z } from 'zod'
import type { SeoSettings } from '../settings.ts'

/** Enough for whoever corrects an address; the recipient is not flooded. */
const PER_MINUTE = 5

/** `POST /notifications/test`: sends a mail to whom the service's mails go, and says what became of it. */
export function registerNotifications(
  host: ExtensionHost,
  { settings }: { settings: () => Pick<SeoSettings, 'notificationEmail'> },
): void {
  const limit = createRateLimit({
    points: PER_MINUTE,
    seconds: 60,
    message: 'Too many test emails. Try again in a minute.',
  })

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/notifications/test',
    access: 'manage_options',
    summary: 'Sends a test email to the configured recipients.',
    answer: successAnswer(z.object({ sent: z.literal(true), recipient: z.string() })),
    async handler({ clientAddress }) {
      const { title, adminEmail } = host.content.siteSettings()
      const recipient = settings().notificationEmail || adminEmail
      if (recipient === '') {
        throw new RestError('no_recipient', 'There are no recipients. Set an email address first.', { status: 409 })
      }
      await limit.consume(clientAddress)
      await host.mail.send({
        to: recipient,
        subject: `[${title}] Test email`,
        text: `This is a test. Notifications of the SEO service of ${host.site.url} are sent to this address.`,
      })
      return success({ sent: true, recipient })
    },
  })
}
