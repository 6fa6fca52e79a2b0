import {
  type ExtensionHost,
  paginated,
  paginatedSchema,
  paginationSchema,
  RestError,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import type { Indexable } from '../indexable.ts'
import { createBackfill } from './backfill.ts'
import { createLinkIndex } from './link-index.ts'
import { listOrphans, orphanShape } from './orphans.ts'
import { createReadPages } from './read-pages.ts'
import { createSuggest, suggestionShape } from './suggestions.ts'
import { openLinkTables } from './tables.ts'
import { updateLinks } from './update-links.ts'

/** Internal links: an index of related posts and orphaned content, updated as content changes, with REST routes. */
export async function registerLinks(host: ExtensionHost, { indexable }: { indexable: Indexable }): Promise<void> {
  const { content, jobs, log, rest } = host
  const db = await openLinkTables(host.database)
  const index = createLinkIndex(db)
  const read = createReadPages(host, indexable)
  const backfill = createBackfill(host, { db, index, read, indexable })
  const suggest = createSuggest(host, { db, read })

  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/link-suggestions',
    access: 'manage_options',
    pro: true,
    response: successSchema(z.object({ suggestions: z.array(suggestionShape) })),
    summary: 'Suggests internal links for a post, with matching anchor text.',
    input: z.object({
      postId: z.int().min(1).describe('ID of the post.'),
      limit: z.int().min(1).max(50).default(10).describe('Maximum number of suggestions.'),
    }),
    async handler({ input }) {
      const post = await content.posts.get(input.postId)
      if (!post || post.status === 'trash' || !content.postTypes().get(post.type)?.public)
        throw new RestError('post_not_found', 'Post not found.', { status: 404 })
      return success({ suggestions: await suggest(post, input.limit) })
    },
  })
  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/orphans',
    access: 'manage_options',
    pro: true,
    response: paginatedSchema(orphanShape),
    summary: 'Lists orphaned content: pages that no other page on the site links to, newest first.',
    input: paginationSchema,
    async handler({ input }) {
      const { items, total } = await listOrphans(host, db, input)
      return paginated(items, total, input)
    },
  })

  updateLinks(host, { index, read, backfill })
  jobs.schedule('seo-links', '23 * * * *', () => backfill.start())
  // Indexes posts from before the service was active. Does not delay the start of the site.
  host.setTimeout(() => {
    backfill.start().catch((error) => log.error({ err: error }, 'link index not updated'))
  }, 0)
}
