import {
  type AnswerOf,
  type ExtensionHost,
  fromGmt,
  pageAnswer,
  paginated,
  paginationSchema,
  RestError,
  RestResponse,
  success,
  successAnswer,
} from 'pentad'
import { z } from 'zod'
import type { Dress } from './compose.ts'
import { notificationData, readNotification } from './notification-input.ts'
import { countsShape, progressShape, type Sendings, sendingShape } from './sendings.ts'
import { subscriberFilter } from './subscriber-filter.ts'
import { type SubscriptionRows, summaryShape } from './subscriptions.ts'

/** Milliseconds that an answer waits for a sending: proxies give up after a minute. */
const PATIENCE = 45_000

const subscriberShape = z.object({
  id: z.int(),
  ...{ country: z.string(), operatingSystem: z.string(), browser: z.string(), device: z.string() },
  date: z.iso.datetime(),
  userId: z.int().nullable(),
})

type Subscriber = AnswerOf<typeof subscriberShape>

/** `pwa/v1/push-subscribers/…`: what administrators call. */
export function registerSubscriberRoutes(
  host: ExtensionHost,
  parts: {
    subscriptions: SubscriptionRows
    sendings: Sendings
    dress: Dress
  },
): void {
  const { subscriptions, sendings, dress } = parts

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/fetch',
    access: 'manage_options',
    summary: 'Subscribers, newest first; never where or how to send to them.',
    input: paginationSchema.extend({
      ...subscriberFilter.shape,
      search: z.string().max(100).default('').describe('In country, operating system, browser and device.'),
    }),
    answer: pageAnswer(subscriberShape),
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
    summary: 'Sends a notification to every subscriber, or to those who are like that.',
    input: z.object({
      notificationData,
      audience: subscriberFilter.optional().describe('Only these subscribers; without it all of them.'),
      wait: z.boolean().default(true).describe('`false` answers at once, with the job that sends it.'),
    }),
    answer: successAnswer(countsShape.extend({ jobId: z.string().optional().describe('While it is being sent.') })),
    async handler({ input, signal }) {
      const notification = await dress(await readNotification(host, input.notificationData))
      const { audience: filter, wait } = input
      const isAll = Object.values(filter ?? {}).every((value) => value === undefined)
      const jobId = await sendings.start(notification, isAll || !filter ? { to: 'all' } : { to: 'matching', filter })
      const progress = await sendings.ended(jobId, wait ? PATIENCE : 0, signal)
      const { sent = 0, failed = 0, removed = 0, total = 0, state } = progress ?? {}
      const counts = { sent, failed, removed, total }
      if (state === 'running' || !wait) {
        const message = 'The notification is still being sent; ask /push-subscribers/progress.'
        return new RestResponse(success({ jobId, ...counts }, message), { status: 202 })
      }
      return success(counts, `Notification sent to ${sent} of ${total} subscribers.`)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/summary',
    access: 'manage_options',
    summary: 'How many subscribers there are of each browser, system, device and country, and how many came lately.',
    input: z.object({ days: z.int().min(1).max(365).default(30).describe('Days back from today.') }),
    answer: successAnswer(summaryShape),
    handler: async ({ input }) => success(await subscriptions.summary(input.days)),
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/sendings',
    access: 'manage_options',
    summary: 'Notifications that went to many in the last 30 days, newest first, and how far they are.',
    input: paginationSchema,
    answer: pageAnswer(sendingShape),
    async handler({ input }) {
      const { page, perPage } = input
      const { items, total } = await sendings.list({ limit: perPage, offset: (page - 1) * perPage })
      return paginated(items, total, input)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/push-subscribers/cancel',
    access: 'manage_options',
    summary: 'Stops the sending of a notification: who has not got it yet gets none.',
    input: z.object({ jobId: z.string().max(100) }),
    answer: successAnswer(progressShape),
    async handler({ input }) {
      const progress = await sendings.cancel(input.jobId)
      if (!progress) throw new RestError('job_not_found', 'There is no such job.', { status: 404 })
      return success(progress)
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/push-subscribers/progress',
    access: 'manage_options',
    summary: 'How far the sending of a notification has come.',
    input: z.object({ jobId: z.string().max(100) }),
    answer: successAnswer(progressShape),
    async handler({ input }) {
      const progress = await sendings.progress(input.jobId)
      if (!progress) throw new RestError('job_not_found', 'There is no such job.', { status: 404 })
      return success(progress)
    },
  })
}
