import { type ExtensionHost, type Post, plainText, type ResponseOf } from 'pentad'
import { z } from 'zod'
import { cutLine } from '../cut-text.ts'

/** Maximum length of an excerpt. */
const EXCERPT = 500

/** A post in a list of results, as plain text. */
export const searchRowShape = z.object({
  ...{ id: z.int(), type: z.string(), title: z.string() },
  url: z.string().describe('Absolute URL.'),
  excerpt: z.string().describe('Excerpt; empty for a password-protected post.'),
})

type SearchRow = ResponseOf<typeof searchRowShape>

export async function searchRow({ content }: Pick<ExtensionHost, 'content'>, post: Post): Promise<SearchRow> {
  const excerpt = post.password === '' ? plainText(await content.renderExcerpt(post)) : ''
  return {
    id: post.id,
    type: post.type,
    title: plainText(content.renderTitle(post)),
    url: content.link(post),
    excerpt: cutLine(excerpt, EXCERPT),
  }
}
