import { sql } from 'kysely'
import type { Database } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import type { Options } from '../../core/options/types.ts'
import { TRASH_TIME } from './meta/trash-keys.ts'
import { fromJsonText } from './rows.ts'
import type { Content } from './types.ts'

const DAY_SECONDS = 24 * 60 * 60
/** When this site first emptied its trash automatically, in seconds since the epoch. */
const SINCE = 'empty_trash_since'
/** Rows read at a time. */
const BATCH = 500

interface Parts {
  readonly content: Pick<Content, 'posts' | 'comments'>
  readonly database: Pick<Database, 'db'>
  readonly options: Options
  readonly log: Logger
  /** Days in the trash; 0 for unlimited. */
  readonly days: () => number
  /** Milliseconds since the epoch; replaceable in tests. */
  readonly now?: () => number
}

interface Trashed {
  readonly id: number
  readonly time: string
}

/**
 * Deletes posts that have been in the trash, and comments that have been in the trash or spam, for longer than the setting
 * says: WordPress's `wp_scheduled_delete` and `EMPTY_TRASH_DAYS`. What was trashed before the site had this feature is deleted
 * that many days after the feature's first run at the earliest.
 *
 * @returns the daily job
 */
export function createTrashEmptying(parts: Parts): (signal: AbortSignal) => Promise<void> {
  const { content, database, options, log, days, now = () => Date.now() } = parts
  const { db } = database

  const trashedPosts = (after: number) => sql<Trashed>`
    select posts.id as id, postmeta.meta_value as time from posts
    join postmeta on postmeta.post_id = posts.id and postmeta.meta_key = ${TRASH_TIME}
    where posts.status = 'trash' and posts.type <> 'revision' and posts.id > ${after} order by posts.id limit ${BATCH}`
  const trashedComments = (after: number) => sql<Trashed>`
    select comments.id as id, commentmeta.meta_value as time from comments
    join commentmeta on commentmeta.comment_id = comments.id and commentmeta.meta_key = ${TRASH_TIME}
    where comments.status in ('trash', 'spam') and comments.id > ${after} order by comments.id limit ${BATCH}`

  /** Deletes what was trashed before a time, in seconds since the epoch. */
  async function empty(
    list: typeof trashedPosts,
    before: number,
    remove: (id: number) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<number> {
    let deleted = 0
    let after = 0
    for (;;) {
      const { rows } = await list(after).execute(db)
      for (const { id, time } of rows) {
        signal.throwIfAborted()
        after = id
        const seconds = Number(fromJsonText(time))
        if (!(seconds > 0 && seconds < before)) continue
        try {
          if (await remove(id)) deleted++
        } catch (error) {
          // An extension may keep some; others are deleted anyway.
          log.warn({ err: error, id }, 'could not delete from the trash')
        }
      }
      if (rows.length < BATCH) return deleted
    }
  }

  return async (signal) => {
    const limit = days() * DAY_SECONDS
    if (limit === 0) return
    const moment = Math.floor(now() / 1000)
    const since = options.get(SINCE)
    if (typeof since !== 'number') return options.update(SINCE, moment)
    const before = moment - limit
    if (since > before) return
    const posts = await empty(trashedPosts, before, content.posts.delete, signal)
    const comments = await empty(trashedComments, before, content.comments.delete, signal)
    if (posts + comments > 0) log.info({ posts, comments }, 'trash emptied')
  }
}
