import { sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { rejectStale } from '../posts/write.ts'
import type { MetaStore, Posts } from '../types.ts'
import { filesOfAttachment, removeFiles, sizesByName } from './remove.ts'
import type { UploadFiles } from './upload-files.ts'

/**
 * Wraps the posts so that deleting an attachment deletes its files; WordPress's `wp_delete_attachment`. The record is deleted first,
 * because an orphaned file is harmless, unlike a record without its file.
 */
export function withFiles(
  posts: Posts,
  { files, database, hooks, meta }: { files: UploadFiles; database: Database; hooks: Hooks; meta: MetaStore },
): Posts {
  return {
    ...posts,
    async delete(id, seen = {}) {
      const post = await posts.get(id)
      if (post?.type !== 'attachment') return posts.delete(id, seen)
      rejectStale(post.modifiedGmt, seen.unchangedSince)
      await hooks.doActionAsync('delete_attachment', id, post)
      const own = (await meta.of('post', [id])).get(id) ?? {}
      const known = filesOfAttachment(own)
      const [file] = own._wp_attachment_metadata ? [] : known
      const all = file === undefined ? known : [...known, ...(await sizesByName(files, file))]
      const deleted = await posts.delete(id, seen)
      if (!deleted) return undefined
      await sql`delete from postmeta where meta_key = '_thumbnail_id' and meta_value in (${String(id)}, ${`"${id}"`})`.execute(
        database.db,
      )
      await removeFiles(all, { files, database, meta })
      return deleted
    },
  }
}
