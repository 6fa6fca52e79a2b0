import { type ExtensionHost, plainText, type ResponseOf } from 'pentad'
import { z } from 'zod'
import type { LinkDatabase } from './tables.ts'

export const orphanShape = z.object({
  ...{ postId: z.int(), title: z.string(), url: z.string(), type: z.string(), publishedAt: z.string() },
})
export type Orphan = ResponseOf<typeof orphanShape>

/** Orphaned content: indexable pages without internal links, newest first. */
export async function listOrphans(
  { content }: Pick<ExtensionHost, 'content'>,
  db: LinkDatabase,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ items: Orphan[]; total: number }> {
  const orphans = db.selectFrom('seo_link_posts').where('orphan', '=', 1)
  const { total } = await orphans.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await orphans
    .select('post_id')
    .orderBy('published_gmt', 'desc')
    .orderBy('post_id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const posts = await content.posts.getMany(rows.map(({ post_id }) => post_id))
  const items = [...posts.values()].map((post) => ({
    postId: post.id,
    title: plainText(content.renderTitle(post)),
    url: content.link(post),
    type: post.type,
    publishedAt: `${post.dateGmt}Z`,
  }))
  return { items, total }
}
