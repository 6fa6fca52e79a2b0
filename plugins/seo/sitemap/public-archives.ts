import { setImmediate as turn } from 'node:timers/promises'
import type { Content, PostQuery } from 'pentad'

/**
 * Those of the archives that show visitors a post. The database knows only what is published; where extensions decide who
 * reads, each archive is asked for its first readable post, or maps would name archives that do not exist for anybody.
 */
export async function publicArchives<Archive>(
  content: Pick<Content, 'isReadByStatus' | 'posts'>,
  archives: readonly Archive[],
  queryOf: (archive: Archive) => PostQuery,
): Promise<Archive[]> {
  if (content.isReadByStatus()) return [...archives]
  const shown: Archive[] = []
  for (const archive of archives) {
    const query = { ...queryOf(archive), readableBy: null, limit: 1, noFoundRows: true }
    if ((await content.posts.query(query)).items.length > 0) shown.push(archive)
    await turn()
  }
  return shown
}
