import { z } from 'zod'
import { plainText } from '../../text/plain-text.ts'
import { asCaller } from '../as-caller.ts'
import type { ContentAbilityParts } from './parts.ts'

const comment = z.object({
  id: z.int(),
  postId: z.int(),
  author: z.string(),
  published: z.string().describe('UTC.'),
  status: z.string(),
  text: z.string().describe('Plain text.'),
  url: z.string(),
})

const listed = z
  .object({
    ...{ id: z.int(), post: z.int(), author_name: z.string(), date_gmt: z.string(), status: z.string() },
    ...{ content: z.object({ rendered: z.string() }), link: z.string() },
  })
  .transform(({ post, author_name, date_gmt, content, link, ...same }) => ({
    ...same,
    ...{ postId: post, author: author_name, published: `${date_gmt}Z`, text: plainText(content.rendered), url: link },
  }))

/** Abilities for comments. */
export function registerComments({ abilities, rest }: ContentAbilityParts): void {
  abilities.register({
    name: 'content/list-comments',
    label: 'List comments',
    description: 'Lists comments of one post or all posts, newest first. Only moderators see pending comments.',
    category: 'content',
    input: z.object({
      postId: z.int().min(1).optional(),
      status: z.enum(['approve', 'hold', 'spam', 'trash']).default('approve'),
      search: z.string().max(1000).optional(),
      page: z.int().min(1).default(1),
      perPage: z.int().min(1).max(100).default(20),
    }),
    output: z.object({ items: z.array(comment), total: z.int() }),
    permission: 'public',
    readonly: true,
    async execute({ postId, status, search, page, perPage }, caller) {
      const { items, total } = await asCaller(rest, caller).list('/wp/v2/comments', {
        // Only users who may moderate comments may use the `status` parameter.
        ...{ post: postId, status: status === 'approve' ? undefined : status, search, page, per_page: perPage },
        _fields: 'id,post,author_name,date_gmt,status,content,link',
      })
      return { items: z.array(listed).parse(items), total }
    },
  })
}
