import { type ExtensionHost, fromGmt, type Post, plainText, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { searchRow, searchRowShape } from '../search/row.ts'
import { defineTool, limitSchema, MOST_ROWS, querySchema, type WebMcpTool } from './tool.ts'

const contentShape = z.object({
  ...{ id: z.int(), type: z.string(), title: z.string(), url: z.string(), text: z.string() },
  ...{ publishedAt: z.string(), author: z.string() },
})
const categoryShape = z.object({ id: z.int(), name: z.string(), url: z.string(), count: z.int() })

/** Tools for public content: agents can read what every visitor can, even if a user is signed in. */
export function contentTools(host: Pick<ExtensionHost, 'asVisitor' | 'auth' | 'content'>): WebMcpTool[] {
  const { auth, content } = host

  function isPublic({ type, status, password }: Post): boolean {
    const isOfPublicType = type !== 'attachment' && content.postTypes().get(type)?.public === true
    return isOfPublicType && status === 'publish' && password === ''
  }

  const searchContent = defineTool({
    name: 'search_content',
    title: 'Search the site',
    description: 'Searches published posts and pages. Returns the title, URL, and excerpt of each.',
    route: {
      method: 'GET',
      path: '/webmcp/search',
      response: successSchema(z.object({ items: z.array(searchRowShape) })),
      access: 'public',
      summary: 'Searches published posts and pages, for browser agents.',
      input: z.object({
        query: querySchema.describe('Search terms that must all occur. The last one can be incomplete.'),
        limit: limitSchema(),
      }),
      async handler({ input: { query, limit } }) {
        const found = await content.search(query, { user: null, limit })
        return success({ items: await Promise.all(found.map((post) => searchRow(host, post))) })
      },
    },
  })

  const getContent = defineTool({
    name: 'get_content',
    title: 'Read a post or page',
    description: 'Returns the full text of a published post or page.',
    route: {
      method: 'GET',
      path: '/webmcp/content/{id}',
      response: successSchema(contentShape),
      access: 'public',
      summary: 'Returns the full text of a post or page, for browser agents.',
      input: z.object({ id: z.int().min(1).describe('ID of the post or page, as returned by search_content.') }),
      async handler({ input: { id } }) {
        const post = await content.posts.get(id)
        if (!post || !isPublic(post) || !(await content.canRead(post, null)))
          throw new RestError('ai_not_found', 'No published post or page has that ID.', { status: 404 })
        const author = await auth.users.get(post.authorId)
        return success({
          id,
          type: post.type,
          title: plainText(content.renderTitle(post)),
          url: content.link(post),
          // As visitors see it, so that content hidden by extensions stays hidden from agents.
          text: plainText(await host.asVisitor(() => content.renderContent(post))),
          publishedAt: fromGmt(post.dateGmt),
          author: author?.displayName ?? '',
        })
      },
    },
  })

  const listCategories = defineTool({
    name: 'list_categories',
    title: 'List categories',
    description: 'Lists the categories in use with their post counts, largest first.',
    route: {
      method: 'GET',
      path: '/webmcp/categories',
      response: successSchema(z.object({ items: z.array(categoryShape) })),
      access: 'public',
      summary: 'Lists the categories in use, for browser agents.',
      input: z.object({ limit: limitSchema(MOST_ROWS) }),
      async handler({ input: { limit } }) {
        const asked = { taxonomy: 'category', hideEmpty: true, orderBy: 'count', order: 'desc' } as const
        const { items } = await content.terms.query({ ...asked, limit })
        const rows = items.map((term) => ({
          id: term.id,
          name: plainText(term.name),
          url: content.link(term),
          count: term.count,
        }))
        return success({ items: rows })
      },
    },
  })

  return [searchContent, getContent, listCategories]
}
