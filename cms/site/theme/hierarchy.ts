import type { PageContext } from '../types.ts'

/** Templates that are only included by others. */
const INSIDE = /^(layout$|partials\/)/

/**
 * Template names for a page, most specific first: WordPress's template hierarchy
 * (https://developer.wordpress.org/themes/basics/template-hierarchy/). Names come from the database, never from the
 * request.
 */
export function templatesFor(page: PageContext): string[] {
  const { kind, post, term, postType, author } = page
  switch (kind) {
    case 'home':
      return ['home', 'index']
    case 'front-page':
      return ['front-page', ...forPost(page), 'page', 'singular', 'index']
    case 'page':
      return [
        ...forPost(page),
        ...(post && post.type !== 'page' ? [`single-${post.type}`] : []),
        'page',
        'singular',
        'index',
      ]
    case 'attachment':
      return ['attachment', 'single', 'singular', 'index']
    case 'single':
      return [...forPost(page), `single-${post?.type}`, 'single', 'singular', 'index']
    case 'category':
      return [`category-${term?.slug}`, 'category', 'archive', 'index']
    case 'tag':
      return [`tag-${term?.slug}`, 'tag', 'archive', 'index']
    case 'taxonomy':
      return [`taxonomy-${term?.taxonomy}-${term?.slug}`, `taxonomy-${term?.taxonomy}`, 'taxonomy', 'archive', 'index']
    case 'post-type':
      return [`archive-${postType?.name}`, 'archive', 'index']
    case 'author':
      return [`author-${author?.slug}`, 'author', 'archive', 'index']
    case 'date':
      return ['date', 'archive', 'index']
    case 'search':
      return ['search', 'index']
    default:
      return ['404', 'index']
  }
}

/** The template selected for the post, then the one named after it. */
function forPost({ post }: PageContext): string[] {
  if (!post) return []
  const chosen = post.template.replace(/\.(php|html|eta)$/, '')
  const file = chosen.split('/').at(-1) ?? ''
  const names = chosen && chosen !== 'default' && !INSIDE.test(chosen) ? [chosen, `page-templates/${file}`] : []
  return post.type === 'page' ? [...names, `page-${post.slug}`] : [...names, `single-${post.type}-${post.slug}`]
}
