import { type ExtensionHost, type Post, plainText } from 'pentad'
import { cutLine } from '../cut-text.ts'

/** Characters of an excerpt: an author may have written a very long one. */
const EXCERPT = 500

/** A post as lists of results show it, in plain text. */
export interface SearchRow {
  readonly id: number
  readonly type: string
  readonly title: string
  /** Absolute. */
  readonly url: string
  /** As archives show it; empty for a post with a password. */
  readonly excerpt: string
}

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
