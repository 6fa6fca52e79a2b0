import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { createYield, type ExtensionHost, type Meta, type Post } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { imagesOf } from './images.ts'
import { isoOf, newer, newestOf } from './last-modified.ts'
import type { Memo } from './memo.ts'
import type { Maps, SitemapPart, SitemapUrl } from './types.ts'

/** Number of posts processed before yielding. */
const AT_ONCE = 200
/** The newest posts are checked first: usually one of them is listed. */
const NEWEST = 20

/**
 * Sitemaps of the posts of one type. Each covers a range of IDs, so a new post only changes the last one; `indexable`
 * decides per post. Archives are at the start of the first sitemap: the list of posts at `/` before pages, the archive
 * of a post type before its posts.
 */
export function createPostMaps(
  host: Pick<ExtensionHost, 'content' | 'database' | 'site'>,
  parts: {
    type: string
    indexable: Indexable
    mostUrls: number
    /** Whether posts of the type can be indexable at all; if not, none is checked. */
    posts: boolean
    images: boolean
    memo: Memo<SitemapPart[]>
  },
): Maps {
  const { content, database, site } = host
  const { type, indexable, images } = parts
  // One slot is reserved for the archive at the start.
  const most = Math.max(1, parts.mostUrls - 1)
  const statuses = type === 'attachment' ? ['publish', 'inherit'] : ['publish']
  // Most indexes contain no revisions, and are only used for queries that say so.
  const ofType = sql`from posts where type = ${type} and type <> 'revision' and status in (${sql.join(statuses)})`

  /** First and last ID of each sitemap. */
  async function stretches(): Promise<{ first: number; last: number }[]> {
    if (!parts.posts) return []
    const all: { first: number; last: number }[] = []
    for (let after = 0; ; ) {
      const { rows } = await sql<{ first: number | null; last: number | null }>`
        select min(id) as first, max(id) as last from (
          select id ${ofType} and id > ${after} order by id limit ${sql.lit(most)}) as stretch`.execute(database.db)
      const { first = null, last = null } = rows[0] ?? {}
      if (first === null || last === null) return all
      all.push({ first, last })
      after = last
    }
  }

  async function idsOf(query: ReturnType<typeof sql>): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id ${ofType} ${query}`.execute(database.db)
    return rows.map(({ id }) => id)
  }

  /** The indexable posts, ordered by ID. */
  async function listed(ids: readonly number[], meta?: ReadonlyMap<number, Meta>): Promise<Post[]> {
    const found = await content.posts.getMany(ids)
    return indexable.posts(
      ids.flatMap((id) => found.get(id) ?? []),
      meta,
    )
  }

  /** Last modification of the newest listed post of a range; `undefined` if none is listed. */
  async function lastModified({ first, last }: { first: number; last: number }): Promise<string | undefined> {
    for (let offset = 0, limit = NEWEST; offset < most; offset += limit, limit = AT_ONCE) {
      const ids = await idsOf(sql`and id between ${first} and ${last}
        order by modified_gmt desc, id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`)
      const [newest] = await listed(ids)
      if (newest) return (await entryOf(newest)).lastModified
      if (ids.length < limit) return undefined
    }
    return undefined
  }

  async function entryOf(post: Post): Promise<SitemapUrl> {
    const { showOnFront, pageForPosts } = content.siteSettings()
    const isList = showOnFront === 'page' && post.id === pageForPosts
    const own = isoOf(post.modifiedGmt)
    return { url: content.link(post), lastModified: isList ? newer(own, await newestOf(content, 'post')) : own }
  }

  async function start(): Promise<SitemapUrl[]> {
    const registered = content.postTypes().get(type)
    const hasArchive = registered !== undefined && indexable.archives([registered]).length > 0
    return [
      ...(type === 'page' && indexable.home()
        ? [{ url: `${site.url}/`, lastModified: await newestOf(content, 'post') }]
        : []),
      ...(hasArchive ? [{ url: `${site.url}/${type}/`, lastModified: await newestOf(content, type) }] : []),
    ]
  }

  async function list(): Promise<SitemapPart[]> {
    const maps: SitemapPart[] = []
    const yieldTurn = createYield()
    for (const [at, stretch] of (await stretches()).entries()) {
      const moment = await lastModified(stretch)
      if (moment !== undefined) maps.push({ number: at + 1, lastModified: moment })
      await yieldTurn()
    }
    const first = await start()
    if (first.length === 0) return maps
    const moment = first.map((entry) => entry.lastModified).reduce(newer, undefined)
    const [one, ...others] = maps[0]?.number === 1 ? maps : [{ number: 1, lastModified: undefined }, ...maps]
    return [{ number: 1, lastModified: newer(one?.lastModified, moment) }, ...others]
  }

  return {
    // Pages are below the list of posts, whose newest post counts; images have titles.
    tags: [`sitemap-posts-${type}`, 'sitemap-posts-attachment', ...(type === 'page' ? ['sitemap-home'] : [])],
    list: () => parts.memo(type, list),
    async read(number) {
      const urls = number === 1 ? await start() : []
      const stretch = sql`order by id limit ${sql.lit(most)} offset ${sql.lit((number - 1) * most)}`
      const ids = parts.posts ? await idsOf(stretch) : []
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const some = ids.slice(at, at + AT_ONCE)
        const meta = await content.meta.of('post', some)
        const posts = await listed(some, meta)
        const shown = images ? await imagesOf(host, posts, meta) : undefined
        for (const post of posts) urls.push({ ...(await entryOf(post)), images: shown?.get(post.id) })
        await setImmediate()
      }
      return urls
    },
  }
}
