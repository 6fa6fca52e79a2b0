import type { Database } from '../../../core/database/index.ts'
import { isRowId } from '../../../core/database/row-id.ts'
import type { ReadRows } from '../posts/read-rows.ts'
import type { CommentRow, PostRow, TermRow } from '../rows.ts'
import { createBatchLoader } from './batch-loader.ts'

export type PostRecord = Pick<PostRow, 'id' | 'type' | 'status' | 'author_id' | 'parent_id'>

/** Lookups that capability checks need. */
export interface ContentLookups {
  post(id: number): Promise<PostRecord | undefined>
  term(id: number): Promise<Pick<TermRow, 'id' | 'taxonomy'> | undefined>
  comment(id: number): Promise<Pick<CommentRow, 'id' | 'post_id'> | undefined>
  exists(kind: 'post' | 'term' | 'comment', id: number): Promise<boolean>
  /** Status of a trashed post before it was trashed, stored as meta as in WordPress. */
  statusBeforeTrash(postId: number): Promise<string | undefined>
  /** WordPress's `get_post_status`: an attachment that inherits has its parent's status, alone it is public. */
  effectiveStatus(post: PostRecord): Promise<string>
}

export function createContentLookups({ db }: Database, rows: Pick<ReadRows, 'get'>): ContentLookups {
  const posts = createBatchLoader(async (ids): Promise<readonly PostRecord[]> => {
    const [id, ...others] = ids
    if (id !== undefined && others.length === 0) {
      // The whole row, because the code that requested the check reads the same post.
      const row = await rows.get(id)
      return row ? [row] : []
    }
    return db
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'author_id', 'parent_id'])
      .where('id', 'in', ids)
      .execute()
  })
  const terms = createBatchLoader((ids) =>
    db.selectFrom('terms').select(['id', 'taxonomy']).where('id', 'in', ids).execute(),
  )
  const comments = createBatchLoader((ids) =>
    db.selectFrom('comments').select(['id', 'post_id']).where('id', 'in', ids).execute(),
  )
  const statusesBeforeTrash = createBatchLoader((ids) =>
    db
      .selectFrom('postmeta')
      .select(['post_id as id', 'meta_value'])
      .where('post_id', 'in', ids)
      .where('meta_key', '=', '_wp_trash_meta_status')
      .execute(),
  )

  async function post(id: number): Promise<PostRecord | undefined> {
    return isRowId(id) ? posts(id) : undefined
  }
  async function statusBeforeTrash(postId: number): Promise<string | undefined> {
    const row = await statusesBeforeTrash(postId)
    const status: unknown = row && JSON.parse(row.meta_value)
    return typeof status === 'string' ? status : undefined
  }
  return {
    post,
    statusBeforeTrash,
    async term(id) {
      return isRowId(id) ? terms(id) : undefined
    },
    async comment(id) {
      return isRowId(id) ? comments(id) : undefined
    },
    async exists(kind, id) {
      if (!isRowId(id)) return false
      const row = await db.selectFrom(`${kind}s`).select('id').where('id', '=', id).executeTakeFirst()
      return row !== undefined
    },
    async effectiveStatus({ type, status, parent_id }) {
      if (type !== 'attachment' || status !== 'inherit') return status
      const parent = parent_id > 0 ? await post(parent_id) : undefined
      if (!parent) return 'publish'
      return parent.status === 'trash' ? ((await statusBeforeTrash(parent.id)) ?? 'trash') : parent.status
    },
  }
}
