import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { RestResponse } from '../../core/rest/response.ts'
import type { Rest } from '../../core/rest/types.ts'
import { invalidParameter } from '../../core/schema/errors.ts'
import type { ReaderStore } from './followers/store.ts'
import { FEED } from './readers.ts'
import type { Change, Changes } from './types.ts'

/** Media type of a batch of events (CloudEvents, JSON format, section 4). */
const BATCH = 'application/cloudevents-batch+json'
/** Maximum waiting time of a long poll, in ms: below the idle timeout of common proxies. */
const LONGEST_WAIT = 30_000
/** Maximum concurrent long polls of a user. */
const MOST_WAITING = 10

/**
 * `GET host/v1/changes`: the change log as a feed (HTTP Feeds) of CloudEvents.
 *
 * @see https://www.http-feeds.org
 * @param readers receives the positions of readers with an application password
 * @param stopping ends long polls when the site closes
 */
export function registerFeed(
  rest: Rest,
  {
    changes,
    readers,
    source,
    stopping,
  }: { changes: Changes; readers: ReaderStore; source: string; stopping: AbortSignal },
): void {
  /** Number of long polls by user ID. */
  const waiting = new Map<number, number>()
  /** Last stored position by application password. */
  const positions = new Map<string, string>()

  /** A reader that continues after an entry has processed it. */
  async function acknowledge(applicationPassword: string | null, position: string | undefined): Promise<void> {
    if (applicationPassword === null || position === undefined) return
    if (positions.get(applicationPassword) === position) return
    const state = { failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: null }
    await readers.save({ id: `${FEED}${applicationPassword}`, name: '', position, ...state })
    positions.set(applicationPassword, position)
  }

  function startWaiting(userId: number): Disposable {
    const count = (waiting.get(userId) ?? 0) + 1
    if (count > MOST_WAITING) throw tooMany()
    waiting.set(userId, count)
    return {
      [Symbol.dispose]() {
        const left = (waiting.get(userId) ?? 1) - 1
        if (left > 0) waiting.set(userId, left)
        else waiting.delete(userId)
      },
    }
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/changes',
    access: 'read_changes',
    summary: 'Lists the purges since an event, oldest first, as a batch of CloudEvents. Covers the last 30 days.',
    responseTypes: [BATCH],
    input: z.object({
      lastEventId: z
        .guid()
        .toLowerCase()
        .optional()
        .describe('ID of the last event that was processed. Default: from the oldest event.'),
      timeout: z
        .int()
        .min(0)
        .max(LONGEST_WAIT)
        .default(0)
        .describe('Milliseconds to wait for events if there are none.'),
      limit: z.int().min(1).max(1000).default(100).describe('Maximum number of events.'),
    }),
    async handler({ input, query, signal, user, identity }) {
      const { lastEventId, timeout, limit } = input
      // Of repeated parameters, the last one counts, but here it could skip events.
      if (query.getAll('lastEventId').length > 1) throw invalidParameter('lastEventId', 'Send lastEventId only once.')
      using _ = timeout > 0 ? startWaiting(user?.id ?? 0) : null
      const over = AbortSignal.any([signal, stopping, AbortSignal.timeout(timeout)])
      for (;;) {
        const done = new AbortController()
        // Before the log is read, so that no entry is added unnoticed in between.
        const added = timeout > 0 && changes.next(AbortSignal.any([over, done.signal]))
        try {
          const found = await changes.read(lastEventId, limit)
          if (!found) throw expired(await changes.newest())
          await acknowledge(identity.applicationPassword, lastEventId)
          if (found.length > 0 || over.aborted || !added) return batchOf(found, source)
          await added
        } finally {
          done.abort()
        }
      }
    },
  })
}

function batchOf(changes: readonly Change[], source: string): RestResponse<string> {
  const events = changes.map(({ id, time, type, ...data }) => ({
    ...{ specversion: '1.0', id, source, type: `pentad.${type}`, time },
    ...{ datacontenttype: 'application/json', data },
  }))
  return new RestResponse(JSON.stringify(events), { headers: { 'Content-Type': BATCH } })
}

function tooMany(): RestError {
  const message = `A user can have at most ${MOST_WAITING} pending requests for events at a time.`
  return new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': '30' })
}

function expired(newest: string | undefined): RestError {
  const message = 'This event is no longer in the change log. Purge all pages, then continue from lastEventId in data.'
  return new RestError('changes_expired', message, { status: 410, lastEventId: newest ?? null })
}
