import { galleryIds } from '../../content/render/gallery.ts'
import type { PageContext } from '../types.ts'

/**
 * Cache tags of a page. A list has a tag that is purged when a post joins or leaves it (`home`, `archive-…`), and the
 * tags of its posts (`post-7`). The page of a post is `single-7`: it also changes with the adjacent posts.
 */
export function tagsOf(page: PageContext): string[] {
  const shown = page.posts.map(({ id }) => `post-${id}`)
  const author = page.author ? [`author-${page.author.id}`] : []
  const term = page.term ? [`term-${page.term.id}`] : []
  return [...listTags(page), ...author, ...term, ...shown]
}

function listTags({ kind, term, author, postType, date, post }: PageContext): string[] {
  switch (kind) {
    case 'home':
      return ['home', ...(post ? [`post-${post.id}`] : [])]
    case 'category':
    case 'tag':
    case 'taxonomy':
      return term ? [`archive-term-${term.id}`] : []
    case 'author':
      return author ? [`archive-author-${author.id}`] : []
    case 'post-type':
      return postType ? [`archive-type-${postType.name}`] : []
    case 'date':
      return date
        ? [`archive-date-${[date.year, date.month, date.day].filter((part) => part !== undefined).join('-')}`]
        : []
    case '404':
    case 'search':
    case 'comments':
      return [kind]
    default:
      return post ? [`single-${post.id}`] : []
  }
}

const SHOWN_IMAGE = /\bwp-image-(\d{1,9})\b/g

/** Attachments whose files and captions appear in the content of a post. */
export function attachmentTags(source: string, html: string): string[] {
  const images = [...html.matchAll(SHOWN_IMAGE)].map(([, id]) => Number(id))
  return [...new Set([...images, ...galleryIds(source)])].filter((id) => id > 0).map((id) => `post-${id}`)
}
