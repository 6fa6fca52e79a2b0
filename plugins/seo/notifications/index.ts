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
    message: 'Too many test mails. Wait a minute.',
  })

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/notifications/test',
    access: 'manage_options',
    summary: 'Sends a test mail to the configured recipient.',
    answer: successAnswer(z.object({ sent: z.literal(true), recipient: z.string() })),
    async handler({ clientAddress }) {
      const { title, adminEmail } = host.content.siteSettings()
      const recipient = settings().notificationEmail || adminEmail
      if (recipient === '') {
        throw new RestError('no_recipient', 'Nobody gets the mails: set an address first.', { status: 409 })
      }
      await limit.consume(clientAddress)
      await host.mail.send({
        to: recipient,
        subject: `[${title}] Test mail`,
        text: `Mails of the SEO service of ${host.site.url} arrive at this address.`,
      })
      return success({ sent: true, recipient })
    },
  })
}
