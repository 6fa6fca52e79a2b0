import { setImmediate } from 'node:timers/promises'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import type { Indexable } from '../indexable.ts'
import { type LinkIndex, VERSION } from './link-index.ts'
import { navigationAddresses } from './navigation.ts'
import type { ReadPages } from './read-pages.ts'
import type { LinkDatabase } from './tables.ts'

/** Number of posts written in one batch. */
const TOGETHER = 20
/** Number of posts checked for indexability in one batch. */
const ASKED = 200
/** Number of IDs scanned in one query. */
const LOOKED_AT = 500

const jobData = z.object({
  /** ID up to which stale posts were processed; `null` when done. */
  staleAfter: z.int().nullable(),
  /** ID up to which indexability was rechecked; `null` if that is not needed or done. */
  askedAfter: z.int().nullable(),
})

/** A background job that indexes posts that existed before, or that changed without an event. */
export interface Backfill {
  /** Starts the job if anything is outdated. */
  start(): Promise<void>
  /** Starts the job and rechecks the indexability of all posts. */
  recheckAll(): Promise<void>
}

export function createBackfill(
  host: ExtensionHost,
  parts: { db: LinkDatabase; index: LinkIndex; read: ReadPages; indexable: Indexable },
): Backfill {
  const { content, jobs } = host
  const { db, index, read, indexable } = parts

  function publicTypes(): string[] {
    const types = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
    return types.map(({ name }) => name)
  }

  /**
   * The next published posts that are missing or outdated in the index. Yields to the event loop in between, because
   * scanning all rows of a large site takes a while.
   */
  async function stale(after: number): Promise<number[]> {
    const { last } = await db
      .selectFrom('posts')
      .select((row) => row.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    for (let from = after; from < Number(last ?? 0); from += LOOKED_AT) {
      const ids = await staleAmong(from, from + LOOKED_AT)
      if (ids.length > 0) return ids
      await setImmediate()
    }
    return []
  }

  /** @param from exclusive first ID @param to last ID */
  async function staleAmong(from: number, to: number): Promise<number[]> {
    const rows = await db
      .selectFrom('posts')
      .leftJoin('seo_link_posts as known', 'known.post_id', 'posts.id')
      .select('posts.id')
      .where('posts.id', '>', from)
      .where('posts.id', '<=', to)
      .where('posts.type', 'in', publicTypes())
      .where('posts.status', '=', 'publish')
      .where((row) =>
        row.or([
          row('known.post_id', 'is', null),
          row('known.version', '<>', VERSION),
          row('known.modified_gmt', '<>', row.ref('posts.modified_gmt')),
          row('known.path', '<>', row.ref('posts.path')),
        ]),
      )
      .orderBy('posts.id')
      .limit(TOGETHER)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Indexed posts that are no longer published. */
  async function unpublished(most: number): Promise<number[]> {
    const rows = await db
      .selectFrom('seo_link_posts as known')
      .leftJoin('posts', 'posts.id', 'known.post_id')
      .select('known.post_id')
      .where((row) => row.or([row('posts.id', 'is', null), row('posts.status', '<>', 'publish')]))
      .limit(most)
      .execute()
    return rows.map(({ post_id }) => post_id)
  }

  async function reindex(ids: readonly number[]): Promise<void> {
    const posts = [...(await content.posts.getMany(ids)).values()].filter(({ status }) => status === 'publish')
    if (posts.length > 0) await index.put(await read.pages(posts))
  }

  /** Rechecks the next posts. @returns the last ID; `null` if there were none */
  async function recheckNext(after: number): Promise<number | null> {
    const rows = await db
      .selectFrom('seo_link_posts')
      .select(['post_id', 'indexable'])
      .where('post_id', '>', after)
      .orderBy('post_id')
      .limit(ASKED)
      .execute()
    const posts = await content.posts.getMany(rows.map(({ post_id }) => post_id))
    const shown = new Set((await indexable.posts([...posts.values()])).map(({ id }) => id))
    const other = rows.filter((row) => shown.has(row.post_id) !== (row.indexable === 1)).map(({ post_id }) => post_id)
    for (let at = 0; at < other.length; at += TOGETHER) await reindex(other.slice(at, at + TOGETHER))
    return rows.at(-1)?.post_id ?? null
  }

  const { job } = jobs.define({
    type: 'seo-links',
    data: jobData,
    async tick({ data, signal }) {
      let { staleAfter, askedAfter } = data
      if (staleAfter === 0) await index.putNavigation(await navigationAddresses(host))
      while (!signal.aborted) {
        if (staleAfter !== null) {
          const ids = await stale(staleAfter)
          await reindex(ids)
          staleAfter = ids.at(-1) ?? null
        } else if (askedAfter !== null) {
          askedAfter = await recheckNext(askedAfter)
        } else {
          const left = await unpublished(ASKED)
          if (left.length === 0) return { done: true }
          await index.forget(left)
        }
      }
      return { done: false, data: { staleAfter, askedAfter } }
    },
  })

  return {
    async start() {
      const isBehind = (await stale(0)).length > 0 || (await unpublished(1)).length > 0
      if (isBehind) await job.start({ staleAfter: 0, askedAfter: null })
    },
    async recheckAll() {
      await job.start({ staleAfter: 0, askedAfter: 0 })
    },
  }
}
