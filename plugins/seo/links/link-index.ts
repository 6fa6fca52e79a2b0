import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Post } from 'pentad'
import { type LinkDatabase, type LinkHandle, NAVIGATION } from './tables.ts'
import { createTermCounts } from './term-counts.ts'

/** A new version number re-indexes all posts. */
export const VERSION = 1
/** Number of values in one statement. */
const VALUES = 500

/** Index data of a published post. */
export interface LinkPage {
  readonly post: Post
  /** Whether the page is indexable; if not, it has no links and terms. */
  readonly isIndexable: boolean
  /** URLs of the post. */
  readonly addresses: readonly string[]
  /** Previous URLs of the post, which may belong to another page by now. */
  readonly formerAddresses: readonly string[]
  /** URLs that the post links to. */
  readonly links: ReadonlySet<string>
  /** Weights of its keywords. */
  readonly terms: ReadonlyMap<string, number>
}

/** The index of posts, their keywords and their links. Each change also updates which pages are orphaned. */
export interface LinkIndex {
  /**
   * Replaces the data of posts in one transaction. Skips a post that has changed since it was read; that change
   * triggers its own update.
   */
  put(pages: readonly LinkPage[]): Promise<void>
  /** Removes posts, except those that are published again. */
  forget(postIds: readonly number[]): Promise<void>
  /** Sets the URLs that every page links to. */
  putNavigation(addresses: ReadonlySet<string>): Promise<void>
}

/** URLs and posts whose links have changed. */
interface Touched {
  readonly addresses: Set<string>
  readonly postIds: Set<number>
}

export function createLinkIndex(db: LinkDatabase): LinkIndex {
  let last: Promise<unknown> = Promise.resolve()

  /**
   * Serializes writes, so that two never deadlock on rows.
   * @param isNeeded - Asked when it is the turn of this write: an earlier one may still change what it depends on.
   */
  function write(
    work: (handle: LinkHandle, touched: Touched) => Promise<void>,
    isNeeded = async () => true,
  ): Promise<void> {
    const done = last.then(async () => {
      if (!(await isNeeded())) return
      await db.transaction().execute(async (handle) => {
        const touched = { addresses: new Set<string>(), postIds: new Set<number>() }
        await work(handle, touched)
        await markOrphans(handle, touched)
      })
    })
    last = done.catch(() => {})
    return done
  }

  return {
    put(pages) {
      const [page] = pages
      const isChanged = async () => !(page && pages.length === 1 && (await confirm(db, page)))
      return write(async (handle, touched) => {
        const counts = createTermCounts(handle)
        const current = await unchanged(handle, pages)
        if (current.length === 0) return
        counts.addPosts(current.filter(({ isKnown }) => !isKnown).length)
        for (const { page, isKnown, isUpToDate } of current) {
          const { id } = page.post
          // Otherwise only links and addresses decide, which are compared below.
          if (!isUpToDate) touched.postIds.add(id)
          const hasAddresses = await putAddresses(handle, page, touched)
          await putLinks(handle, id, page.links, isKnown, touched)
          await counts.put(id, page.terms, isKnown)
          await putPost(handle, page, hasAddresses ? digestOf(page) : '')
        }
        await counts.write()
      }, isChanged)
    },

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

/** Hash of the data that the index contains of a post, except the time of its modification. */
function digestOf({ post, isIndexable, addresses, formerAddresses, links, terms }: LinkPage): string {
  const data = [VERSION, isIndexable, post.path, post.dateGmt, addresses, formerAddresses, [...links], [...terms]]
  return hash('sha256', JSON.stringify(data), 'base64')
}

/** Notes that a post was saved, in one statement, if the index contains the same data of it already. @returns whether it does */
async function confirm(db: LinkDatabase, page: LinkPage): Promise<boolean> {
  const { id, path, title, content, modifiedGmt } = page.post
  // Written out: each save runs this, and building the statement takes longer than running it. The condition on `posts` does not hold if the
  // post has changed since it was read.
  const { numAffectedRows = 0n } = await sql`
    update seo_link_posts set modified_gmt = ${modifiedGmt.replace('T', ' ')}
    where post_id = ${id} and digest = ${digestOf(page)} and exists (
      select 1 from posts
      where id = ${id} and status = 'publish' and path = ${path} and title = ${title} and content = ${content})`.execute(
    db,
  )
  return numAffectedRows > 0n
}

/** A page with what the index knows about it. */
interface CurrentPage {
  readonly page: LinkPage
  readonly isKnown: boolean
  /** Whether the index has it in this version, as indexable as it is now. */
  readonly isUpToDate: boolean
}

/** The pages that have not changed since they were read; other changes trigger their own update. */
async function unchanged(handle: LinkHandle, pages: readonly LinkPage[]): Promise<CurrentPage[]> {
  const rows = await handle
    .selectFrom('posts')
    .leftJoin('seo_link_posts as known', 'known.post_id', 'posts.id')
    .select(['posts.id', 'posts.path', 'posts.title', 'posts.content', 'known.version', 'known.indexable'])
    .where('posts.status', '=', 'publish')
    .where(
      'posts.id',
      'in',
      pages.map(({ post }) => post.id),
    )
    .execute()
  const now = new Map(rows.map((row) => [row.id, row]))
  return pages.flatMap((page) => {
    const { post, isIndexable } = page
    const row = now.get(post.id)
    if (row?.path !== post.path || row.title !== post.title || row.content !== post.content) return []
    const isUpToDate = row.version === VERSION && (row.indexable === 1) === isIndexable
    return { page, isKnown: row.version !== null, isUpToDate }
  })
}

async function putPost(handle: LinkHandle, { post, isIndexable }: LinkPage, digest: string): Promise<void> {
  const row = {
    version: VERSION,
    modified_gmt: post.modifiedGmt.replace('T', ' '),
    path: post.path,
    published_gmt: post.dateGmt,
    indexable: isIndexable ? 1 : 0,
    digest,
  }
  await handle
    .insertInto('seo_link_posts')
    .values({ post_id: post.id, ...row, orphan: 0 })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet(row))
    .execute()
}

/**
 * A URL belongs to one post: the current one, otherwise the most recent one.
 * @returns whether all URLs of the page belong to it now
 */
async function putAddresses(handle: LinkHandle, page: LinkPage, touched: Touched): Promise<boolean> {
  const { addresses, formerAddresses } = page
  const postId = page.post.id
  const rows = (some: readonly string[]) => some.map((address) => ({ address, post_id: postId }))
  const known = await handle
    .selectFrom('seo_link_addresses')
    .selectAll()
    .where('address', 'in', [...addresses, ...formerAddresses])
    .execute()
  const owners = new Map(known.map(({ address, post_id }) => [address, post_id]))
  const added = addresses.filter((address) => owners.get(address) !== postId)
  const addedFormer = formerAddresses.filter((address) => !owners.has(address))
  const hasAll = formerAddresses.every((address) => (owners.get(address) ?? postId) === postId)
  if (added.length + addedFormer.length === 0) return hasAll
  touched.postIds.add(postId)
  const others = added.flatMap((address) => owners.get(address) ?? [])
  for (const other of others) touched.postIds.add(other)
  if (others.length > 0)
    await handle.updateTable('seo_link_posts').set({ digest: '' }).where('post_id', 'in', others).execute()
  if (added.length > 0) {
    await handle
      .insertInto('seo_link_addresses')
      .values(rows(added))
      .onConflict((conflict) => conflict.column('address').doUpdateSet({ post_id: postId }))
      .execute()
  }
  if (addedFormer.length === 0) return hasAll
  await handle
    .insertInto('seo_link_addresses')
    .values(rows(addedFormer))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return hasAll
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
  const removed = [...old.difference(links)]
  const added = [...links.difference(old)]
  for (const address of [...removed, ...added]) touched.addresses.add(address)
  for (const some of inParts(removed)) {
    await handle.deleteFrom('seo_links').where('source_id', '=', sourceId).where('address', 'in', some).execute()
  }
  for (const some of inParts(added)) {
    const values = some.map((address) => ({ source_id: sourceId, address }))
    await handle.insertInto('seo_links').values(values).execute()
  }
}

/** Whether a post is orphaned depends on the links to its URLs, so posts with changed links are rechecked. */
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
