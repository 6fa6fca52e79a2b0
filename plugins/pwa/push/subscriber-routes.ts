import {
  type ExtensionHost,
  fromGmt,
  paginated,
  paginatedSchema,
  paginationSchema,
  type ResponseOf,
  RestError,
  RestResponse,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { type Broadcasts, broadcastShape, countsShape, progressShape } from './broadcasts.ts'
import type { AddIcon } from './compose.ts'
import { notificationData, readNotification } from './notification-input.ts'
import { subscriberFilter } from './subscriber-filter.ts'
import { type SubscriptionRows, summaryShape } from './subscriptions.ts'

/** Milliseconds for which a response waits for a broadcast: proxies time out after a minute. */
const PATIENCE = 45_000

const jobInput = z.object({ jobId: z.string().max(100).describe('ID of the sending job.') })

const subscriberShape = z.object({
  id: z.int(),
  ...{ country: z.string(), operatingSystem: z.string(), browser: z.string(), device: z.string() },
  date: z.iso.datetime(),
  userId: z.int().nullable(),
})

type Subscriber = ResponseOf<typeof subscriberShape>

/** `pwa/v1/push-subscribers/…`: routes for administrators. */
export function registerSubscriberRoutes(
  host: ExtensionHost,
  parts: {
    subscriptions: SubscriptionRows
    broadcasts: Broadcasts
    addIcon: AddIcon
  },
): void {
  const { subscriptions, broadcasts, addIcon } = parts

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/fetch',
    access: 'manage_options',
    summary: 'Lists subscribers without their endpoints and keys, newest first.',
    input: paginationSchema.extend({
      ...subscriberFilter.shape,
      search: z.string().max(100).default('').describe('Searches country, operating system, browser, and device.'),
    }),
    response: paginatedSchema(subscriberShape),
    async handler({ input }) {
      const { page, perPage, search, ...others } = input
      const filter = subscriberFilter.parse(others)
      const { rows, total } = await subscriptions.list({ search, filter, limit: perPage, offset: (page - 1) * perPage })
      const items = rows.map(
        (row): Subscriber => ({
          id: row.id,
          country: row.country,
          operatingSystem: row.operating_system,
          browser: row.browser,
          device: row.device,
          date: fromGmt(row.created_gmt),
          userId: row.user_id,
        }),
      )
      return paginated(items, total, input)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/push-subscribers/send',
    access: 'manage_options',
    summary: 'Sends a notification to all subscribers, or to subscribers who match a filter.',
    input: z.object({
      notificationData,
      audience: subscriberFilter.optional().describe('Limits the recipients. Default: all subscribers.'),
      wait: z.boolean().default(true).describe('`false` sends in the background and returns the job.'),
    }),
    response: successSchema(
      countsShape.extend({
        jobId: z.string().optional().describe('ID of the sending job; omitted once the notification has been sent.'),
      }),
    ),
    async handler({ input, signal }) {
      const notification = await addIcon(await readNotification(host, input.notificationData))
      const { audience: filter, wait } = input
      const isAll = Object.values(filter ?? {}).every((value) => value === undefined)
      const jobId = await broadcasts.start(notification, isAll || !filter ? { to: 'all' } : { to: 'matching', filter })
      const progress = await broadcasts.ended(jobId, wait ? PATIENCE : 0, signal)
      const { sent = 0, failed = 0, removed = 0, total = 0, state } = progress ?? {}
      const counts = { sent, failed, removed, total }
      if (state === 'running' || !wait) {
        const message = 'The notification is being sent. Check the progress at /push-subscribers/progress.'
        return new RestResponse(success({ jobId, ...counts }, message), { status: 202 })
      }
      return success(counts, `Notification sent to ${sent} of ${total} subscribers.`)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/summary',
    access: 'manage_options',
    summary: 'Returns subscriber statistics by browser, operating system, device, country, and day.',
    input: z.object({ days: z.int().min(1).max(365).default(30).describe('Number of days up to today.') }),
    response: successSchema(summaryShape),
    handler: async ({ input }) => success(await subscriptions.summary(input.days)),
  })

  const listRoute = {
    method: 'GET',
    path: '/push-subscribers/notifications',
    access: 'manage_options',
    summary: 'Lists the notifications sent in the last 30 days with their progress, newest first.',
    input: paginationSchema,
    response: paginatedSchema(broadcastShape),
    async handler({ input }: { input: z.infer<typeof paginationSchema> }) {
      const { page, perPage } = input
      const { items, total } = await broadcasts.list({ limit: perPage, offset: (page - 1) * perPage })
      return paginated(items, total, input)
    },
  } as const
  host.rest.registerRoute('pwa/v1', listRoute)
  // Its former path, until 1.0.0.
  host.rest.registerRoute('pwa/v1', {
    ...listRoute,
    path: '/push-subscribers/sendings',
    summary: 'Deprecated: use `/push-subscribers/notifications`.',
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/push-subscribers/cancel',
    access: 'manage_options',
    summary: 'Stops sending a notification to the remaining subscribers.',
    input: jobInput,
    response: successSchema(progressShape),
    async handler({ input }) {
      const progress = await broadcasts.cancel(input.jobId)
      if (!progress) throw new RestError('job_not_found', 'The job does not exist.', { status: 404 })
      return success(progress)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/progress',
    access: 'manage_options',
    summary: 'Returns the progress of sending a notification.',
    input: jobInput,
    response: successSchema(progressShape),
    async handler({ input }) {
      const progress = await broadcasts.progress(input.jobId)
      if (!progress) throw new RestError('job_not_found', 'The job does not exist.', { status: 404 })
      return success(progress)
    },
  })
}
