import { sql } from 'kysely'
import type { ArchiveDate, ExtensionHost, PostQuery } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { isoOf, newer } from './last-modified.ts'
import type { Memo } from './memo.ts'
import { pagedMaps } from './paged-maps.ts'
import { publicArchives } from './public-archives.ts'
import type { Maps, SitemapUrl } from './types.ts'

/** Sitemaps of date archives: each year, month and day with public posts, in site time. */
export function createDateMaps(
  { content, database, site }: Pick<ExtensionHost, 'content' | 'database' | 'site'>,
  { indexable, mostUrls, memo }: { indexable: Indexable; mostUrls: number; memo: Memo<SitemapUrl[]> },
): Maps {
  return {
    ...pagedMaps({
      mostUrls,
      memo: (work) => memo('dates', work),
      async dated() {
        const { rows } = await sql<{ day: string; modified: string }>`
          select substr(date, 1, 10) as day, max(modified_gmt) as modified from posts
          where type = 'post' and status = 'publish' group by substr(date, 1, 10)`.execute(database.db)
        const moments = new Map<number, string>()
        // Months and years are derived from days.
        for (const { day, modified } of await publicArchives(content, rows, onDay)) {
          const id = Number(day.replaceAll('-', ''))
          for (const archive of [id, id - (id % 100), id - (id % 10_000)])
            moments.set(archive, newer(moments.get(archive), isoOf(modified)) ?? '')
        }
        return [...moments].map(([id, lastModified]) => ({ id, lastModified }))
      },
      async listed(ids) {
        const archives = ids.map((id) => {
          const date = dateOf(id)
          return { id, date, url: site.url + content.permalinks().date(date) }
        })
        return new Map(indexable.dates(archives).map(({ id, url }) => [id, url]))
      },
    }),
    tags: ['sitemap-posts-post'],
  }
}

/** Both bounds are exclusive, as the query requires. */
function onDay({ day }: { readonly day: string }): PostQuery {
  const start = Date.parse(`${day}T00:00:00Z`)
  const text = (moment: number) => new Date(moment).toISOString().slice(0, 19)
  return { types: ['post'], after: text(start - 1000), before: text(start + 86_400_000) }
}

/** Key: 20250105 is a day, 20250100 its month, 20250000 its year. */
function dateOf(id: number): ArchiveDate {
  const [year, month, day] = [Math.floor(id / 10_000), Math.floor(id / 100) % 100, id % 100]
  return { year, month: month || undefined, day: day || undefined }
}
