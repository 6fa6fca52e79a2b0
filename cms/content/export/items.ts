import { createYield } from '../../threads/yielding.ts'
import { inMeta } from '../addresses.ts'
import { toComment } from '../comments/index.ts'
import { PENDING } from '../import/pending.ts'
import type { CommentRow } from '../rows.ts'
import type { Comment, Meta, Post } from '../types.ts'
import { commentElement, ITEM_END, itemElements, metaElements, type SkipMeta } from './elements.ts'
import type { Selection } from './selection.ts'
import type { ExportParts, WxrExport } from './types.ts'
import { escapeXml, textContent } from './xml.ts'

/** Posts, or comments of a post, read per query. */
const POSTS = 50
const COMMENTS = 200
/** Cached logins of authors. */
const MOST_LOGINS = 10_000

/** Whether a meta key is only useful for this site: edit locks, and the state of unfinished imports. */
export function isInternal(key: string): boolean {
  return key === '_edit_lock' || key === PENDING
}

/** Writes posts with their terms, meta and comments, in the order of their ids. */
export function createItems(
  { content, users, database: { db }, hooks, config }: ExportParts,
  selection: Selection,
  withComments: boolean,
): WxrExport['items'] {
  const current = content.currentAddresses
  const logins = new Map<number, string>()
  const skipPostMeta: SkipMeta = (key, value) =>
    hooks.applyFilters('wxr_export_skip_postmeta', isInternal(key), key, value)
  const skipCommentMeta: SkipMeta = (key, value) => hooks.applyFilters('wxr_export_skip_commentmeta', false, key, value)

  /** The posts of some ids with everything but their comments. */
  async function read(ids: readonly number[]) {
    const posts = await content.posts.getMany(ids)
    if (logins.size > MOST_LOGINS) logins.clear()
    const unknown = [...posts.values()].map(({ authorId }) => authorId).filter((id) => !logins.has(id))
    for (const [id, { login }] of await users.getMany(unknown)) logins.set(id, login)
    return {
      posts,
      metas: await content.meta.of('post', ids),
      terms: await termsOf(ids),
      commented: await commentedOf(ids),
    }
  }

  async function termsOf(ids: readonly number[]): Promise<Map<number, string[]>> {
    const rows = await db
      .selectFrom('term_relationships')
      .innerJoin('terms', 'terms.id', 'term_relationships.term_id')
      .select(['term_relationships.post_id', 'terms.taxonomy', 'terms.slug', 'terms.name'])
      .where('term_relationships.post_id', 'in', ids)
      .orderBy('terms.taxonomy')
      .orderBy('term_relationships.term_order')
      .orderBy('terms.id')
      .execute()
    const elements = new Map<number, string[]>()
    for (const { post_id: postId, taxonomy, slug, name } of rows) {
      const attributes = `domain="${escapeXml(taxonomy)}" nicename="${escapeXml(slug)}"`
      const element = `		<category ${attributes}>${textContent(name)}</category>\n`
      const ofPost = elements.get(postId)
      if (ofPost) ofPost.push(element)
      else elements.set(postId, [element])
    }
    return elements
  }

  async function commentedOf(ids: readonly number[]): Promise<Set<number>> {
    if (!withComments) return new Set()
    const rows = await db
      .selectFrom('comments')
      .select('post_id')
      .distinct()
      .where('post_id', 'in', ids)
      .where('status', '<>', 'spam')
      .execute()
    return new Set(rows.map((row) => row.post_id))
  }

  async function* item(post: Post, batch: Awaited<ReturnType<typeof read>>): AsyncGenerator<string> {
    const meta = metaOf(post, inMeta(batch.metas.get(post.id) ?? {}, current))
    const author = logins.get(post.authorId) ?? ''
    yield itemElements({
      post: withCurrent(post),
      link: content.link(post),
      author,
      attachmentUrl: attachmentUrl(post, meta),
    }) +
      (batch.terms.get(post.id) ?? []).join('') +
      metaElements('wp:postmeta', meta, skipPostMeta)
    if (batch.commented.has(post.id)) yield* comments(post.id)
    yield ITEM_END
  }

  /** Only the GUID is preserved: an import uses it to recognize existing items. */
  function withCurrent(post: Post): Post {
    const { title, content: text, excerpt } = post
    return { ...post, title: current(title), content: current(text), excerpt: current(excerpt) }
  }

  function commentOf(row: CommentRow): Comment {
    const comment = toComment(row)
    return { ...comment, authorUrl: current(comment.authorUrl), content: current(comment.content) }
  }

  async function* comments(postId: number): AsyncGenerator<string> {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('comments')
        .selectAll()
        .where('post_id', '=', postId)
        .where('status', '<>', 'spam')
        .where('id', '>', after)
        .orderBy('id')
        .limit(COMMENTS)
        .execute()
      const metas = await content.meta.of(
        'comment',
        rows.map(({ id }) => id),
      )
      yield rows
        .map((row) => commentElement(commentOf(row), inMeta(metas.get(row.id) ?? {}, current), skipCommentMeta))
        .join('')
      if (rows.length < COMMENTS) return
      after = rows.at(-1)?.id ?? after
    }
  }

  /**
   * Not percent-encoded, as in WordPress, whose importer names the file after it; only characters that would end the path or be decoded are
   * encoded.
   */
  function attachmentUrl(post: Post, meta: Meta): string | undefined {
    if (post.type !== 'attachment') return undefined
    const [file] = meta._wp_attached_file ?? []
    if (typeof file !== 'string' || file === '') return current(post.guid)
    return `${config.url}/wp-content/uploads/${file.replace(/[%?#\s]/g, (character) => encodeURIComponent(character))}`
  }

  return async function* items() {
    const yieldTurn = createYield()
    for (let after = 0; ; ) {
      await yieldTurn()
      const ids = await selection.idsAfter(after, POSTS)
      const batch = ids.length > 0 ? await read(ids) : undefined
      for (const id of ids) {
        const post = batch?.posts.get(id)
        if (post && batch) yield item(post, batch)
      }
      if (ids.length < POSTS) return
      after = ids.at(-1) ?? after
    }
  }
}

/** WordPress stores the template of a page as meta. */
function metaOf({ template }: Post, meta: Meta): Meta {
  const { _wp_page_template: before = [], ...others } = meta
  const [named = ''] = before
  if (template !== '') return { ...others, _wp_page_template: [template] }
  return named === '' || named === 'default' ? meta : others
}
