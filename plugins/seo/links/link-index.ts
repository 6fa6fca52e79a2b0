import { sql } from 'kysely'
import type { Post } from 'pentad'
import { type LinkDatabase, type LinkHandle, NAVIGATION } from './tables.ts'
import { createTermCounts } from './term-counts.ts'

/** A new number makes all posts be looked at again. */
export const VERSION = 1
/** Values of one statement. */
const VALUES = 500

/** What is known of a published post. */
export interface LinkPage {
  readonly post: Post
  /** Whether search engines may keep its page; if not, it has neither links nor terms. */
  readonly isIndexable: boolean
  /** Where it is found. */
  readonly addresses: readonly string[]
  /** Where it was found before, and where nothing else need be now. */
  readonly formerAddresses: readonly string[]
  /** Addresses that it links to. */
  readonly links: ReadonlySet<string>
  /** Weights of the words that stand out in it. */
  readonly terms: ReadonlyMap<string, number>
}

/** Which posts there are, what they are about, and which link to which. Each change also says anew who is an orphan. */
export interface LinkIndex {
  /**
   * Puts what is known of posts in place of what was known, all of it or nothing. A post that has changed since it was
   * read is left to whoever changed it.
   */
  put(pages: readonly LinkPage[]): Promise<void>
  /** Those of them that are published again stay. */
  forget(postIds: readonly number[]): Promise<void>
  /** Says which addresses every page links to. */
  putNavigation(addresses: ReadonlySet<string>): Promise<void>
}

/** Addresses and posts whose links have changed. */
interface Touched {
  readonly addresses: Set<string>
  readonly postIds: Set<number>
}

export function createLinkIndex(db: LinkDatabase): LinkIndex {
  let last: Promise<unknown> = Promise.resolve()

  /** One write after the other, so that two never wait for rows of each other. */
  function write(work: (handle: LinkHandle, touched: Touched) => Promise<void>): Promise<void> {
    const done = last.then(() =>
      db.transaction().execute(async (handle) => {
        const touched = { addresses: new Set<string>(), postIds: new Set<number>() }
        await work(handle, touched)
        await markOrphans(handle, touched)
      }),
    )
    last = done.catch(() => {})
    return done
  }

  return {
    put: (pages) =>
      write(async (handle, touched) => {
        const counts = createTermCounts(handle)
        const current = await unchanged(handle, pages)
        const ids = current.map(({ post }) => post.id)
        if (ids.length === 0) return
        const known = await handle.selectFrom('seo_link_posts').select('post_id').where('post_id', 'in', ids).execute()
        const knownIds = new Set(known.map(({ post_id }) => post_id))
        counts.addPosts(ids.length - knownIds.size)
        for (const page of current) {
          const { id } = page.post
          touched.postIds.add(id)
          await putAddresses(handle, page, touched)
          await putLinks(handle, id, page.links, knownIds.has(id), touched)
          await counts.put(id, page.terms, knownIds.has(id))
          await putPost(handle, page)
        }
        await counts.write()
      }),

    forget: (postIds) =>
      write(async (handle, touched) => {
        const counts = createTermCounts(handle)
        const published = handle.selectFrom('posts').select('id').where('status', '=', 'publish')
        const back = await published.where('id', 'in', postIds).execute()
        for (const id of postIds.filter((one) => !back.some((row) => row.id === one))) {
          await putLinks(handle, id, new Set(), true, touched)
          await counts.put(id, new Map(), true)
          await handle.deleteFrom('seo_link_addresses').where('post_id', '=', id).execute()
          const { numDeletedRows } = await handle
            .deleteFrom('seo_link_posts')
            .where('post_id', '=', id)
            .executeTakeFirstOrThrow()
          counts.addPosts(-Number(numDeletedRows))
        }
        await counts.write()
      }),

    putNavigation: (addresses) => write((handle, touched) => putLinks(handle, NAVIGATION, addresses, true, touched)),
  }
}

/** Those of the pages that are still as they were read: a save or deletion in between has told, or is about to. */
async function unchanged(handle: LinkHandle, pages: readonly LinkPage[]): Promise<LinkPage[]> {
  const rows = await handle
    .selectFrom('posts')
    .select(['id', 'path', 'title', 'content'])
    .where('status', '=', 'publish')
    .where(
      'id',
      'in',
      pages.map(({ post }) => post.id),
    )
    .execute()
  const now = new Map(rows.map((row) => [row.id, row]))
  return pages.filter(({ post }) => {
    const row = now.get(post.id)
    return row?.path === post.path && row.title === post.title && row.content === post.content
  })
}

async function putPost(handle: LinkHandle, { post, isIndexable }: LinkPage): Promise<void> {
  const row = {
    version: VERSION,
    modified_gmt: post.modifiedGmt.replace('T', ' '),
    path: post.path,
    published_gmt: post.dateGmt,
    indexable: isIndexable ? 1 : 0,
  }
  await handle
    .insertInto('seo_link_posts')
    .values({ post_id: post.id, ...row, orphan: 0 })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet(row))
    .execute()
}

/** An address is one post's: the one that is there now, else the one that was there last. */
async function putAddresses(handle: LinkHandle, page: LinkPage, touched: Touched): Promise<void> {
  const { addresses, formerAddresses } = page
  const postId = page.post.id
  const rows = (some: readonly string[]) => some.map((address) => ({ address, post_id: postId }))
  const others = await handle
    .selectFrom('seo_link_addresses')
    .select('post_id')
    .where('address', 'in', addresses)
    .where('post_id', '<>', postId)
    .execute()
  for (const { post_id } of others) touched.postIds.add(post_id)
  await handle
    .insertInto('seo_link_addresses')
    .values(rows(addresses))
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ post_id: postId }))
    .execute()
  if (formerAddresses.length === 0) return
  await handle
    .insertInto('seo_link_addresses')
    .values(rows(formerAddresses))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function putLinks(
  handle: LinkHandle,
  sourceId: number,
  links: ReadonlySet<string>,
  isKnown: boolean,
  touched: Touched,
): Promise<void> {
  const rows = isKnown
    ? await handle.selectFrom('seo_links').select('address').where('source_id', '=', sourceId).execute()
    : []
  const old = new Set(rows.map(({ address }) => address))
  const gone = [...old.difference(links)]
  const added = [...links.difference(old)]
  for (const address of [...gone, ...added]) touched.addresses.add(address)
  for (const some of inParts(gone)) {
    await handle.deleteFrom('seo_links').where('source_id', '=', sourceId).where('address', 'in', some).execute()
  }
  for (const some of inParts(added)) {
    const values = some.map((address) => ({ source_id: sourceId, address }))
    await handle.insertInto('seo_links').values(values).execute()
  }
}

/** Whether a post is an orphan follows from the links to its addresses, so those whose links changed are asked anew. */
async function markOrphans(handle: LinkHandle, { addresses, postIds }: Touched): Promise<void> {
  const ids = new Set(postIds)
  for (const some of inParts([...addresses])) {
    const targets = await handle
      .selectFrom('seo_link_addresses')
      .select('post_id')
      .where('address', 'in', some)
      .execute()
    for (const { post_id } of targets) ids.add(post_id)
  }
  for (const some of inParts([...ids])) {
    await handle
      .updateTable('seo_link_posts')
      .set((row) => ({
        orphan: row
          .case()
          .when('indexable', '=', 0)
          .then(sql.lit(0))
          .when(
            row.exists(
              row
                .selectFrom('seo_link_addresses')
                .innerJoin('seo_links', 'seo_links.address', 'seo_link_addresses.address')
                .select('seo_links.source_id')
                .whereRef('seo_link_addresses.post_id', '=', 'seo_link_posts.post_id')
                .whereRef('seo_links.source_id', '<>', 'seo_link_posts.post_id'),
            ),
          )
          .then(sql.lit(0))
          .else(sql.lit(1))
          .end(),
      }))
      .where('post_id', 'in', some)
      .execute()
  }
}

function* inParts<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let at = 0; at < values.length; at += VALUES) yield values.slice(at, at + VALUES)
}
