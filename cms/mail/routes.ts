import { z } from 'zod'
import { success } from '../../core/rest/response.ts'
import { paginatedSchema, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { createRateLimit } from '../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../rate-limits/types.ts'
import { paginated, paginationSchema } from '../rest/pagination.ts'
import type { TextsFor } from '../text/translations.ts'
import type { MailLog } from './mail-log.ts'
import type { EnteredMailSettings, HostMail } from './types.ts'

const STATES = ['sent', 'stored', 'failed'] as const

const entryShape = z.object({
  ...{ id: z.int(), time: z.string(), recipients: z.string(), subject: z.string() },
  state: z.enum(STATES).describe('`stored`: as a file, because no SMTP server is configured.'),
  ...{ error: z.string(), attempts: z.int() },
  canResend: z
    .boolean()
    .describe('Whether the message can be sent again: `false` if it contained a secret or attachments.'),
})

/** `host/v1/mail`: a test email with the stored or the entered settings, which reports what the server said, and the email log. */
export function registerMailRoutes(
  rest: Rest,
  {
    mail,
    mailLog,
    rateLimitStore: store,
    textsFor,
    withChanges,
  }: {
    mail: Pick<HostMail, 'test' | 'resend'>
    mailLog: MailLog
    rateLimitStore: RateLimitStore
    textsFor: TextsFor
    withChanges: (changes: Readonly<Record<string, unknown>>) => EnteredMailSettings
  },
): void {
  const limit = createRateLimit({
    ...{ points: 5, seconds: 60, message: 'Too many test emails. Try again in a minute.' },
    shared: { name: 'mail-test', store },
  })
  const resendLimit = createRateLimit({
    ...{ points: 20, seconds: 60, message: 'Too many emails. Try again in a minute.' },
    shared: { name: 'mail-resend', store },
  })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/mail/test',
    access: 'manage_options',
    summary: "Sends a test email and returns the SMTP server's response.",
    input: z.object({
      to: z.email().max(100).describe('Recipient.'),
      settings: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Changes to the `mail` settings to test before they are stored. The route does not store them.'),
    }),
    response: successSchema(
      z.object({
        to: z.string(),
        storedAsFile: z
          .boolean()
          .describe('Whether the email was only stored as a file, because no SMTP server is configured.'),
        response: z.string().describe('What the server responded; empty if there is none.'),
      }),
    ),
    async handler({ input: { to, settings }, clientAddress, user }) {
      await limit.consume(clientAddress)
      const { file, response = '' } = await mail.test(to, await textsFor(user), settings && withChanges(settings))
      return success({ to, storedAsFile: file !== undefined, response })
    },
  })

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/mail/log',
    access: 'manage_options',
    summary: 'Lists the emails that the site sent, newest first, without their content.',
    input: paginationSchema.extend({ state: z.enum(STATES).optional() }),
    response: paginatedSchema(entryShape),
    async handler({ input }) {
      const { page, perPage, state } = input
      const { items, total } = await mailLog.query({ limit: perPage, offset: (page - 1) * perPage, state })
      return paginated(items, total, input)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/mail/log',
    access: 'manage_options',
    summary: 'Clears the email log.',
    response: successSchema(z.null()),
    async handler() {
      await mailLog.clear()
      return success(null)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/mail/log/{id}/resend',
    access: 'manage_options',
    summary: 'Sends an email from the log again, to the same recipients.',
    input: z.object({ id: z.int().min(1).max(2_147_483_647) }),
    response: successSchema(z.object({ storedAsFile: z.boolean() })),
    async handler({ input: { id }, clientAddress }) {
      await resendLimit.consume(clientAddress)
      const { file } = await mail.resend(id)
      return success({ storedAsFile: file !== undefined })
    },
  })
}
