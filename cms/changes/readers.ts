import type { Kysely } from 'kysely'
import { z } from 'zod'
import { fromGmt } from '../../core/database/gmt.ts'
import type { Schema } from '../../core/database/index.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { Followers } from './followers/index.ts'
import type { ReaderRow, ReaderStore } from './followers/store.ts'
import type { ChangeLog } from './log.ts'
import { NODE } from './node-positions.ts'
import type { WebhookRow, WebhookStore } from './webhooks/store.ts'

/** ID of the position of a reader of the feed, before the UUID of its application password. */
export const FEED = 'feed '

const readerShape = z.object({
  id: z.string(),
  kind: z
    .enum(['node', 'cache', 'webhook', 'feed'])
    .describe(
      '`node`: a process of a site with several nodes. `cache`: a cache of an extension. `feed`: a program that reads the feed with an application password.',
    ),
  name: z
    .string()
    .describe('Name of the product, of the application password, or of the machine of a node; empty for webhooks.'),
  address: z
    .string()
    .describe('Address or ID of the cache, URL of the webhook, username for the feed, or version of the node.'),
  pending: z.int().describe('Number of events that the reader has not processed yet.'),
  failures: z.int().describe('Consecutive failed attempts to send the next purge or event.'),
  error: z.string().describe('Why the last attempt failed; otherwise empty.'),
  failingSince: z.string().nullable().describe('Time of the first failed attempt, in ISO 8601 format.'),
  nextAttempt: z
    .string()
    .nullable()
    .describe(
      'Time of the next retry. If no attempt has failed, the time at which the rate limit of the cache permits the next purge.',
    ),
  updated: z
    .string()
    .nullable()
    .describe('Time of the last attempt, of the last request that advanced the feed, or of the last report of a node.'),
})
type Reader = z.output<typeof readerShape>

/** `GET host/v1/changes/readers`: which changes each node, cache, webhook, and reader of the feed has processed. */
export function registerReaders(
  rest: Rest,
  parts: {
    db: Kysely<Schema>
    changes: Pick<ChangeLog, 'countAfter'>
    readers: ReaderStore
    followers: Followers
    webhooks: WebhookStore
  },
): void {
  const { db, changes, readers, followers, webhooks } = parts
  const timeOf = (gmt: string | null) => (gmt === null ? null : fromGmt(gmt))
  const pendingAfter = (position: string | null) => changes.countAfter(position ?? undefined)

  async function describe(row: ReaderRow, more: Pick<Reader, 'kind' | 'name' | 'address'>): Promise<Reader> {
    return {
      ...{ id: row.id, ...more, pending: await pendingAfter(row.position) },
      ...{ failures: row.failures, error: row.error, failingSince: timeOf(row.failing_since_gmt) },
      ...{ nextAttempt: timeOf(row.next_attempt_gmt), updated: fromGmt(row.updated_gmt) },
    }
  }

  async function describeWebhook(row: WebhookRow): Promise<Reader> {
    const { items } = await webhooks.deliveries(row.id, { limit: 1, offset: 0 })
    const [last] = items
    const error = row.is_enabled === 0 ? 'The webhook is disabled.' : row.failures > 0 ? (last?.error ?? '') : ''
    return {
      ...{ id: row.id, kind: 'webhook', name: '', address: row.url, pending: await pendingAfter(row.position) },
      ...{ failures: row.failures, error, failingSince: null },
      ...{ nextAttempt: timeOf(row.next_attempt_gmt), updated: last?.time ?? null },
    }
  }

  /** By UUID. Revoked ones are missing, so their readers are not listed. */
  async function applicationPasswords(): Promise<ReadonlyMap<string, { name: string; login: string }>> {
    const rows = await db
      .selectFrom('application_passwords')
      .innerJoin('users', 'users.id', 'application_passwords.user_id')
      .select(['application_passwords.uuid', 'application_passwords.name', 'users.login'])
      .execute()
    return new Map(rows.map(({ uuid, ...row }) => [uuid, row]))
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/changes/readers',
    access: 'manage_options',
    summary: 'Lists nodes, caches, webhooks, and readers of the feed, and how many changes each has not processed yet.',
    response: z.object({ items: z.array(readerShape) }),
    async handler() {
      const rows = await readers.list()
      const caches = rows.filter(({ id }) => followers.isFollowed(id))
      const nodes = rows.filter(({ id }) => id.startsWith(NODE))
      const feeds = rows.filter(({ id }) => id.startsWith(FEED))
      const passwords = feeds.length > 0 ? await applicationPasswords() : new Map<string, never>()
      return {
        items: [
          ...(await Promise.all(
            nodes.map((row) => describe(row, { kind: 'node', name: row.name, address: row.id.split(' ')[2] ?? '' })),
          )),
          ...(await Promise.all(
            caches.map((row) =>
              describe(row, { kind: 'cache', name: row.name, address: row.id.slice(row.id.indexOf(':') + 1) }),
            ),
          )),
          ...(await Promise.all((await webhooks.list()).map(describeWebhook))),
          ...(await Promise.all(
            feeds.flatMap((row) => {
              const password = passwords.get(row.id.slice(FEED.length))
              return password ? [describe(row, { kind: 'feed', name: password.name, address: password.login })] : []
            }),
          )),
        ],
      }
    },
  })
}
