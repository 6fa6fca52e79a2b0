import { z } from 'zod'
import { plainText } from '../../text/plain-text.ts'
import { asCaller } from '../as-caller.ts'
import { type ContentAbilityParts, findPost, findType, routeOf } from './parts.ts'
import { readWritten, written } from './written.ts'

const page = z.int().min(1).default(1)
const perPage = z.int().min(1).max(100).default(20)
const search = z.string().max(1000).optional()

const found = z.object({
  id: z.int(),
  type: z.string(),
  status: z.string(),
  title: z.string(),
  url: z.string(),
  excerpt: z.string().describe('Plain text; empty for a post with a password.'),
})

const summary = z.object({
  id: z.int(),
  type: z.string(),
  status: z.string(),
  title: z.string(),
  url: z.string(),
  authorId: z.int(),
  published: z.string().nullable().describe('UTC; null for undated posts.'),
  modified: z.string().describe('UTC.'),
})

/** Fields of `wp/v2` that a summary is built from. */
const listed = z
  .object({
    id: z.int(),
    type: z.string(),
    status: z.string(),
    title: z.object({ rendered: z.string() }),
    link: z.string(),
    author: z.int().default(0),
    date_gmt: z.string().nullable(),
    modified_gmt: z.string(),
  })
  .transform(({ title, link, author, date_gmt, modified_gmt, ...same }) => ({
    ...same,
    title: plainText(title.rendered),
    url: link,
    authorId: author,
    published: date_gmt && utc(date_gmt),
    modified: utc(modified_gmt),
  }))

const utc = (gmt: string) => `${gmt}Z`

/** Abilities that find and read posts: public ones, and others that the caller can read. */
export function registerReading({ abilities, rest, content, auth }: ContentAbilityParts): void {
  abilities.register({
    name: 'content/search',
    label: 'Search',
    description: 'Searches posts and pages, best match first. Use it to find what the site says about a topic.',
    category: 'content',
    input: z.object({
      query: z.string().max(1000).describe('Search terms.'),
      type: z.string().optional().describe('Only posts of this type, such as post or page.'),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.object({ items: z.array(found) }),
    permission: 'public',
    readonly: true,
    async execute({ query, type, limit }, user) {
      const posts = await content.search(query, { user, limit, ...(type !== undefined && { types: [type] }) })
      return {
        items: await Promise.all(
          posts.map(async (post) => ({
            ...{ id: post.id, type: post.type, status: post.status, url: content.link(post) },
            title: plainText(content.renderTitle(post)),
            // An author may have written one: it is behind the password with the text.
            excerpt: post.password === '' ? plainText(await content.renderExcerpt(post)) : '',
          })),
        ),
      }
    },
  })

  abilities.register({
    name: 'content/list-posts',
    label: 'List posts',
    description: 'Lists posts or pages, newest first, by status, author, search terms, or last modification.',
    category: 'content',
    input: z.object({
      type: z.string().default('post').describe('Post type: post, page, …'),
      status: z
        .enum(['publish', 'future', 'draft', 'pending', 'private', 'trash', 'any'])
        .default('publish')
        .describe('Statuses other than publish require access to unpublished posts.'),
      author: z.int().optional().describe('ID of a user.'),
      search,
      modifiedAfter: z.iso.datetime().optional(),
      ...{ page, perPage },
    }),
    output: z.object({ items: z.array(summary), total: z.int() }),
    permission: 'public',
    readonly: true,
    async execute({ type, status, author, search, modifiedAfter, page, perPage }, caller) {
      const { items, total } = await asCaller(rest, caller).list(routeOf(findType(content, type)), {
        ...{ status, author, search, modified_after: modifiedAfter, page, per_page: perPage },
        _fields: 'id,type,status,title,link,author,date_gmt,modified_gmt',
      })
      return { items: z.array(listed).parse(items), total }
    },
  })

  abilities.register({
    name: 'content/read-post',
    label: 'Read a post',
    description:
      'Reads one post or page: text, status, terms, and fields. Users who may edit it get the raw text, others the rendered text.',
    category: 'content',
    input: z.object({ id: z.int().min(1) }),
    output: written.extend({
      id: z.int(),
      type: z.string(),
      url: z.string(),
      authorId: z.int(),
      modified: z.string().describe('UTC.'),
      editable: z.boolean().describe('Whether the text is raw and the caller may edit it.'),
    }),
    permission: 'public',
    readonly: true,
    async execute({ id }, caller) {
      const { post, type } = await findPost(content, id)
      const editable = await auth.can(caller, 'edit_post', id)
      const body = await asCaller(rest, caller).read(routeOf(type, id), { context: editable ? 'edit' : 'view' })
      const { authorId, modifiedGmt } = post
      return {
        ...readWritten(body, content, type),
        ...{ id, type: type.name, url: content.link(post), authorId, modified: utc(modifiedGmt), editable },
      }
    },
  })
}
