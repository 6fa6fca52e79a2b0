import { sql } from 'kysely'
import type { ExtensionHost } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { isoOf } from './last-modified.ts'
import type { Memo } from './memo.ts'
import { type Dated, pagedMaps } from './paged-maps.ts'
import { publicArchives } from './public-archives.ts'
import type { Maps } from './types.ts'

/** Sitemaps of author archives, for authors with public posts. */
export function createAuthorMaps(
  { auth, content, database, site }: Pick<ExtensionHost, 'auth' | 'content' | 'database' | 'site'>,
  { indexable, mostUrls, memo }: { indexable: Indexable; mostUrls: number; memo: Memo<Dated[]> },
): Maps {
  async function dated(): Promise<Dated[]> {
    const { rows } = await sql<{ id: number; modified: string }>`
      select author_id as id, max(modified_gmt) as modified from posts
      where type = 'post' and type <> 'revision' and status = 'publish' group by author_id`.execute(database.db)
    const shown = await publicArchives(content, rows, ({ id }) => ({ types: ['post'], authors: [id] }))
    return shown.map(({ id, modified }) => ({ id, lastModified: isoOf(modified) }))
  }

  return {
    ...pagedMaps({
      mostUrls,
      // Users may change without their posts.
      memo: (work) => work(),
      dated: () => memo('users', dated),
      async listed(ids) {
        const authors = [...(await auth.users.getMany(ids)).values()]
        return new Map(
          indexable.authors(authors).map(({ id, slug }) => [id, site.url + content.permalinks().author(slug)]),
        )
      },
    }),
    tags: ['sitemap-users', 'sitemap-posts-post'],
  }
}
