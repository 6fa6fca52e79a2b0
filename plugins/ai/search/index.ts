import { type ExtensionHost, success, successSchema } from 'pentad'
import { z } from 'zod'
import { searchRow, searchRowShape } from './row.ts'

const input = z.object({
  query: z.string().max(1000).describe('Search terms. If omitted, the most recently modified posts are returned.'),
  limit: z.int().min(1).max(50).default(10).describe('Maximum number of results.'),
})

/**
 * `GET /context/search`: posts that can be mentioned in a message to the copilot, limited to those the caller can read.
 */
export function registerSearch(host: Pick<ExtensionHost, 'content' | 'rest'>): void {
  host.rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/context/search',
    access: 'edit_posts',
    summary: 'Searches for posts and pages to mention in a message.',
    input,
    response: successSchema(z.object({ items: z.array(searchRowShape) })),
    async handler({ input: { query, limit }, user }) {
      const found = await host.content.search(query, { user, limit })
      return success({ items: await Promise.all(found.map((post) => searchRow(host, post))) })
    },
  })
}
