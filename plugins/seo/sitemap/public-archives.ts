import { setImmediate as turn } from 'node:timers/promises'
import type { Content, PostQuery } from 'pentad'

/**
 * The archives with at least one public post. The database only knows the status; if extensions restrict reading, the
 * first readable post of each archive is queried, so that sitemaps do not list archives that return 404.
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
