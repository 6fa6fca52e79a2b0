import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExtensionHost, ResponseOf } from 'pentad'
import { z } from 'zod'
import type { Audience, Deliveries } from './deliveries.ts'
import type { Sender } from './sender.ts'
import './hooks.ts'
import { writePayload } from './payload.ts'
import { subscriberFilter } from './subscriber-filter.ts'
import type { Notification, NotificationResult } from './types.ts'

const DAY = 86_400_000

/** Milliseconds after which undelivered messages are given up. */
const GIVEN_UP_AFTER = 3_600_000

/** Days for which broadcasts are kept. During that time, a reason is not sent twice. */
const KEPT_DAYS = 30

/** Polling interval in milliseconds. */
const LOOK_EVERY = 50

const notificationSchema = z.object({
  title: z.string(),
  body: z.string(),
  navigate: z.string(),
  image: z.string().optional(),
  icon: z.string().optional(),
  requireInteraction: z.boolean(),
  vibrate: z.boolean(),
  actions: z.array(z.object({ action: z.string(), title: z.string(), navigate: z.string() })),
})

const ids = z.array(z.int())
const jobData = z.object({
  notification: notificationSchema,
  payload: z.string(),
  audience: z.discriminatedUnion('to', [
    z.object({ to: z.literal('all') }),
    z.object({ to: z.literal('matching'), filter: subscriberFilter }),
    z.object({ to: z.enum(['subscriptions', 'users']), ids }),
  ]),
  reason: z.string().nullable(),
  timeToLiveSeconds: z.int(),
  started: z.int(),
})

/** Numbers of subscribers. */
export const countsShape = z.object({ total: z.int(), sent: z.int(), failed: z.int(), removed: z.int() })

export const progressShape = z.object({
  jobId: z.string(),
  state: z.enum(['running', 'complete', 'cancelled', 'failed']),
  percent: z.int().min(0).max(100),
  ...countsShape.shape,
})

export type Progress = ResponseOf<typeof progressShape>

export const broadcastShape = progressShape.extend({
  ...{ title: z.string(), message: z.string() },
  sentAt: z.iso.datetime(),
  audience: z.string(),
  automatic: z.boolean().describe('Whether it was sent automatically.'),
})

/** A broadcast in the list. */
export type ListedBroadcast = ResponseOf<typeof broadcastShape>

/** Sends notifications, each as a resumable job. */
export interface Broadcasts {
  /**
   * @param reason deduplication key such as `post:7`; a second broadcast within a month ends immediately
   * @returns id of the job
   * @throws RestError 400 `notification_too_large`
   */
  start(notification: Notification, audience: Audience, reason?: string): Promise<string>
  /** `undefined` for an unknown job. */
  progress(jobId: string): Promise<Progress | undefined>
  /** Recent broadcasts, newest first. */
  list(page: { limit: number; offset: number }): Promise<{ items: ListedBroadcast[]; total: number }>
  /** Stops sending to the remaining subscribers. `undefined` for an unknown job. */
  cancel(jobId: string): Promise<Progress | undefined>
  /** Waits until the broadcast has ended or the time is over, and returns its progress. */
  ended(jobId: string, milliseconds: number, signal: AbortSignal): Promise<Progress | undefined>
}

/** @param settings batch size and time to live */
export function createBroadcasts(
  host: ExtensionHost,
  parts: { deliveries: Deliveries; sender: Sender },
  settings: () => { readonly pushBatchSize: number; readonly pushTimeToLiveSeconds: number },
): Broadcasts {
  const { deliveries, sender } = parts

  const { job } = host.jobs.define({
    type: 'pwa-notification',
    data: jobData,
    async tick({ id, data, signal }) {
      const { audience, reason, payload, timeToLiveSeconds, notification, started } = data
      const { title, body } = notification
      if (!(await deliveries.begin(id, audience, reason, { title, body })))
        return { done: true, message: 'Already sent.' }
      await deliveries.failLost(id, Date.now())
      if (Date.now() - started > GIVEN_UP_AFTER) await deliveries.fail(id)
      await sender.run({ id, payload, timeToLiveSeconds }, settings().pushBatchSize, signal)
      const counts = await deliveries.counts(id)
      const next = await sender.nextRun(id)
      if (!counts) return { done: true }
      const message = `Notification sent to ${counts.sent} of ${counts.total} subscribers.`
      if (next !== undefined) {
        const delayMs = Math.max(0, next - Date.now())
        return { done: false, data, percent: percentOf(counts), message, delayMs: Math.min(delayMs, LONGEST_DELAY) }
      }
      await host.hooks.doActionAsync('pwa_notification_sent', counts, notification)
      return { done: true, message }
    },
    async cancelled(_data, id) {
      await deliveries.fail(id)
    },
  })

  host.jobs.schedule('forget-notifications', '23 4 * * *', () => deliveries.prune(Date.now() - KEPT_DAYS * DAY))

  async function progress(jobId: string): Promise<Progress | undefined> {
    const report = await host.jobs.get(jobId)
    if (report?.type !== 'pwa-notification') return undefined
    const { state } = report
    const counts = (await deliveries.counts(jobId)) ?? { total: 0, sent: 0, failed: 0, removed: 0 }
    return { jobId, state, percent: state === 'complete' ? 100 : percentOf(counts), ...counts }
  }

  return {
    async start(notification, audience, reason) {
      const payload = await writePayload(host, notification, randomBytes(9).toString('base64url'))
      const { pushTimeToLiveSeconds: timeToLiveSeconds } = settings()
      const data = { payload, audience: copyOf(audience), reason: reason ?? null, timeToLiveSeconds }
      const report = await job.start({
        ...data,
        notification: { ...notification, actions: [...notification.actions] },
        started: Date.now(),
      })
      return report.id
    },
    progress,
    async list(page) {
      const { rows, total } = await deliveries.list(page)
      const items: ListedBroadcast[] = []
      for (const { id, title, body, audience, reason, created, total: all, sent, failed, removed } of rows) {
        const counts = { total: all, sent, failed, removed }
        const state = (await host.jobs.get(id))?.state ?? 'complete'
        items.push({
          ...{ jobId: id, state, percent: state === 'complete' ? 100 : percentOf(counts), ...counts },
          ...{ title, message: body, audience, automatic: reason !== null },
          sentAt: new Date(created).toISOString(),
        })
      }
      return { items, total }
    },
    async cancel(jobId) {
      if (!(await progress(jobId))) return undefined
      await host.jobs.cancel(jobId)
      return progress(jobId)
    },
    async ended(jobId, milliseconds, signal) {
      const until = Date.now() + milliseconds
      for (;;) {
        const now = await progress(jobId)
        if (now?.state !== 'running' || Date.now() >= until || signal.aborted) return now
        await wait(LOOK_EVERY)
      }
    },
  }
}

/** Maximum delay between ticks in milliseconds: subscriptions may be removed, and the broadcast may time out. */
const LONGEST_DELAY = 60_000

function percentOf({ total, sent, failed }: NotificationResult): number {
  return total === 0 ? 0 : Math.floor((100 * (sent + failed)) / total)
}

function copyOf(audience: Audience): z.output<typeof jobData>['audience'] {
  return 'ids' in audience ? { to: audience.to, ids: [...audience.ids] } : audience
}
