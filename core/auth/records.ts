import type { Selectable } from 'kysely'
import type { CommentTable, Database, PostTable, TermTable } from '../database/index.ts'
import { isRowId } from './text.ts'

export type PostRecord = Pick<Selectable<PostTable>, 'id' | 'type' | 'status' | 'author_id' | 'parent_id'>

/** What a capability check has to know about the thing it is about. */
export interface Records {
  post(id: number): Promise<PostRecord | undefined>
  term(id: number): Promise<Pick<Selectable<TermTable>, 'id' | 'taxonomy'> | undefined>
  comment(id: number): Promise<Pick<Selectable<CommentTable>, 'id' | 'post_id'> | undefined>
  exists(kind: 'post' | 'term' | 'comment' | 'user', id: number): Promise<boolean>
  /** What a trashed post was before; WordPress keeps it as meta. */
  statusBeforeTrash(postId: number): Promise<string | undefined>
  /** WordPress's `get_post_status`: an attachment that inherits has its parent's status, alone it is public. */
  effectiveStatus(post: PostRecord): Promise<string>
}

export function createRecords({ db }: Database): Records {
  async function post(id: number): Promise<PostRecord | undefined> {
    if (!isRowId(id)) return undefined
    return db
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'author_id', 'parent_id'])
      .where('id', '=', id)
      .executeTakeFirst()
  }
  async function statusBeforeTrash(postId: number): Promise<string | undefined> {
    const row = await db
      .selectFrom('postmeta')
      .select('meta_value')
      .where('post_id', '=', postId)
      .where('meta_key', '=', '_wp_trash_meta_status')
      .executeTakeFirst()
    const status: unknown = row && JSON.parse(row.meta_value)
    return typeof status === 'string' ? status : undefined
  }
  return {
    post,
    statusBeforeTrash,
    async term(id) {
      if (!isRowId(id)) return undefined
      return db.selectFrom('terms').select(['id', 'taxonomy']).where('id', '=', id).executeTakeFirst()
    },
    async comment(id) {
      if (!isRowId(id)) return undefined
      return db.selectFrom('comments').select(['id', 'post_id']).where('id', '=', id).executeTakeFirst()
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
