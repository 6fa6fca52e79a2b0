import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { paginatedSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { paginated, paginationSchema } from '../rest/pagination.ts'

/** Events that one request may ask for. */
const MOST_EVENTS = 50

const account = z.object({ id: z.int(), login: z.string() }).nullable()
const entryShape = z.object({
  ...{ id: z.int(), event: z.string(), count: z.int(), first: z.string(), last: z.string() },
  ...{ user: account, actor: account, network: z.string(), userAgent: z.string() },
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
})

/** `GET host/v1/security-log`: logins, failed logins, and security-relevant changes. */
export function registerSecurityLogRoute(rest: Rest, { securityLog }: Pick<Auth, 'securityLog'>): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/security-log',
    access: 'manage_options',
    summary: 'Lists logins, account changes, extension changes, and restores from the last year, newest first.',
    response: paginatedSchema(entryShape),
    input: paginationSchema.extend({
      event: z
        .union([z.array(z.string().max(100)).max(MOST_EVENTS), z.string().transform((list) => list.split(','))])
        .optional()
        .describe('Limits the result to these events, separated by commas, such as `sign_in_failed,sign_in_blocked`.'),
      user: z.int().min(1).optional().describe('Limits the result to events about or by this user.'),
      after: z.iso.datetime().optional().describe('Limits the result to events at or after this time.'),
      before: z.iso.datetime().optional().describe('Limits the result to events before this time.'),
    }),
    async handler({ input }) {
      const { page, perPage, event, user, after, before } = input
      const { items, total } = await securityLog.query({
        ...{ events: event, userId: user, limit: perPage, offset: (page - 1) * perPage },
        after: after === undefined ? undefined : Date.parse(after),
        before: before === undefined ? undefined : Date.parse(before),
      })
      return paginated(items, total, input)
    },
  })
}
