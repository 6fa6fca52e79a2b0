import { hash } from 'node:crypto'
import type { IndexNowDatabase } from './tables.ts'

/** Minimum time before a URL is submitted again, in ms: engines treat more as spam. */
const SENT_AGAIN_AFTER = 600_000
/** Milliseconds after which what could not be sent is given up: engines have found it by themselves. */
const GIVEN_UP_AFTER = 86_400_000
/** Rows of one statement. */
const ROWS = 500

export interface PendingPage {
  readonly url: string
  readonly postId: number
  /** Since when it waits, milliseconds since 1970. */
  readonly since: number
}

/** Pages that are to be sent. They are in the database, so that no restart forgets them. */
export interface PendingPages {
  add(pages: readonly Pick<PendingPage, 'url' | 'postId'>[]): Promise<void>
  /** Those whose time has come at that moment, longest waiting first. */
  due(now: number, most: number): Promise<PendingPage[]>
  /** They were sent; those that changed since the moment they were taken wait on. */
  sent(pages: readonly PendingPage[], takenAt: number): Promise<void>
  /** They wait until another moment, unless they have waited too long. */
  putOff(pages: readonly PendingPage[], until: number): Promise<void>
  drop(pages: readonly PendingPage[]): Promise<void>
  /** Forgets when pages were sent that may be sent again. */
  prune(now: number): Promise<void>
}

export function createPendingPages(db: IndexNowDatabase): PendingPages {
  const inRows = async (pages: readonly PendingPage[], write: (hashes: string[]) => Promise<unknown>) => {
    for (let at = 0; at < pages.length; at += ROWS)
      await write(pages.slice(at, at + ROWS).map(({ url }) => hashOf(url)))
  }

  const drop = (pages: readonly PendingPage[]) =>
    inRows(pages, (hashes) => db.deleteFrom('seo_indexnow_pages').where('url_hash', 'in', hashes).execute())

  return {
    async add(pages) {
      const now = Date.now()
      const values = pages.map(({ url, postId }) => ({
        ...{ url_hash: hashOf(url), url, post_id: postId },
        ...{ due: now, since: now, sent: null },
      }))
      if (values.length === 0) return
      const again = now - SENT_AGAIN_AFTER
      await db
        .insertInto('seo_indexnow_pages')
        .values(values)
        .onConflict((conflict) =>
          conflict.column('url_hash').doUpdateSet((row) => ({
            post_id: row.ref('excluded.post_id'),
            // What waits for a later moment goes on waiting; what is being sent is due anew.
            due: row
              .case()
              .when('seo_indexnow_pages.due', '>', now)
              .then(row.ref('seo_indexnow_pages.due'))
              .when('seo_indexnow_pages.sent', '>', again)
              .then(row('seo_indexnow_pages.sent', '+', SENT_AGAIN_AFTER))
              .else(now)
              .end(),
            since: row
              .case()
              .when('seo_indexnow_pages.due', 'is', null)
              .then(now)
              .else(row.ref('seo_indexnow_pages.since'))
              .end(),
          })),
        )
        .execute()
    },

    async due(now, most) {
      return db
        .selectFrom('seo_indexnow_pages')
        .select(['url', 'post_id as postId', 'since'])
        .where('due', '<=', now)
        .orderBy('since')
        .limit(most)
        .execute()
    },

    sent: (pages, takenAt) =>
      inRows(pages, async (hashes) => {
        const rows = db.updateTable('seo_indexnow_pages').where('url_hash', 'in', hashes)
        await rows.set({ sent: takenAt }).execute()
        await rows.set({ due: null }).where('due', '<=', takenAt).execute()
      }),

    async putOff(pages, until) {
      const now = Date.now()
      const isOld = ({ since }: PendingPage) => now - since > GIVEN_UP_AFTER
      await drop(pages.filter(isOld))
      await inRows(
        pages.filter((page) => !isOld(page)),
        (hashes) => db.updateTable('seo_indexnow_pages').set({ due: until }).where('url_hash', 'in', hashes).execute(),
      )
    },

    drop,

    async prune(now) {
      const rows = db.deleteFrom('seo_indexnow_pages').where('due', 'is', null)
      await rows.where('sent', '<', now - SENT_AGAIN_AFTER).execute()
    },
  }
}

function hashOf(url: string): string {
  return hash('sha256', url)
}
