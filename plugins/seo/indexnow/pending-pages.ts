import { hash } from 'node:crypto'
import type { IndexNowDatabase } from './tables.ts'

/** Minimum time before a URL is submitted again, in ms: engines treat more as spam. */
const SENT_AGAIN_AFTER = 600_000
/** Time after which a failed submission is abandoned, in ms: engines have discovered the page by then. */
const GIVEN_UP_AFTER = 86_400_000
/** Number of rows in one statement. */
const ROWS = 500

export interface PendingPage {
  readonly url: string
  readonly postId: number
  /** Time when it was queued, Unix time in ms. */
  readonly since: number
}

/** Pages queued for submission, stored in the database so that restarts do not lose them. */
export interface PendingPages {
  add(pages: readonly Pick<PendingPage, 'url' | 'postId'>[]): Promise<void>
  /** Due pages, longest pending first. */
  due(now: number, most: number): Promise<PendingPage[]>
  /** Marks pages as submitted; those that changed after they were taken stay pending. */
  sent(pages: readonly PendingPage[], takenAt: number): Promise<void>
  /** Postpones pages, or abandons those that have been pending too long. */
  putOff(pages: readonly PendingPage[], until: number): Promise<void>
  drop(pages: readonly PendingPage[]): Promise<void>
  /** Deletes the times of submissions after which a page can be submitted again. */
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
            // A postponed page stays postponed; a page being submitted becomes due again.
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
