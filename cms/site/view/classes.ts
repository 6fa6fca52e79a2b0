import { FORMAT_TAXONOMY, slugInPath } from '../../content/post-formats.ts'
import type { Post, Term } from '../../content/types.ts'
import type { PageContext } from '../types.ts'

/** A slug as part of a class name; the ID if nothing of it is valid (東京). */
function cssName(slug: string, id: number): string {
  const name = slug.replace(/%[0-9a-f]{2}/gi, '').replace(/[^\w-]/g, '')
  return name.replace(/-+/g, '-') === '' || /^[\d-]*$/.test(name) ? String(id) : name
}

/** Classes of `<body>`, as WordPress's `get_body_class` names them. */
export function bodyClasses(page: PageContext): string[] {
  const classes = kindClasses(page)
  if (page.pageNumber > 1 && page.status === 200) classes.push(...pageClasses(page))
  if (page.user) classes.push('logged-in')
  return classes
}

/** Classes of a later page of a list or of a paginated post. */
function pageClasses({ kind, post, pageNumber }: PageContext): string[] {
  if (!post || kind === 'home') return ['paged', `paged-${pageNumber}`]
  return [`paged-${pageNumber}`, `${post.type === 'page' ? 'page' : 'single'}-paged-${pageNumber}`]
}

function kindClasses(page: PageContext): string[] {
  const { kind, post, term, postType, author } = page
  switch (kind) {
    case 'home':
      return post ? ['blog'] : ['home', 'blog']
    case 'front-page':
    case 'page': {
      const classes = kind === 'front-page' ? ['home', 'page'] : ['page']
      const template = cssName(post?.template.replace(/\.\w+$/, '') || 'default', 0)
      return [
        ...classes,
        `page-id-${post?.id}`,
        `page-template-${template}`,
        ...(post?.parentId ? ['page-child', `parent-pageid-${post.parentId}`] : []),
      ]
    }
    case 'single':
      return ['single', `single-${post?.type}`, `postid-${post?.id}`, 'single-format-standard']
    case 'attachment':
      return ['attachment', 'single', 'single-attachment', `attachmentid-${post?.id}`]
    case 'category':
    case 'tag':
    case 'taxonomy': {
      const name = kind === 'taxonomy' ? `tax-${term?.taxonomy}` : kind
      const prefix = kind === 'taxonomy' ? 'term' : kind
      return ['archive', name, ...(term ? [`${prefix}-${cssName(term.slug, term.id)}`, `${prefix}-${term.id}`] : [])]
    }
    case 'post-type':
      return ['archive', 'post-type-archive', `post-type-archive-${postType?.name}`]
    case 'author':
      return [
        'archive',
        'author',
        ...(author ? [`author-${cssName(author.slug, author.id)}`, `author-${author.id}`] : []),
      ]
    case 'date':
      return ['archive', 'date']
    case 'search':
      return ['search', page.posts.length > 0 ? 'search-results' : 'search-no-results']
    default:
      return ['error404']
  }
}

function formatOf(terms: Readonly<Record<string, readonly Term[]>>): string {
  const [term] = terms[FORMAT_TAXONOMY] ?? []
  return term ? slugInPath(FORMAT_TAXONOMY, term.slug) : 'standard'
}

/** Classes of one post, as WordPress's `get_post_class` names them. */
export function postClasses(
  post: Post,
  terms: Readonly<Record<string, readonly Term[]>>,
  state: { locked: boolean; image: boolean; first: boolean },
): string[] {
  const prefixes: Readonly<Record<string, string>> = { post_tag: 'tag' }
  return [
    `post-${post.id}`,
    post.type,
    `type-${post.type}`,
    `status-${post.status}`,
    ...(post.type === 'post' ? [`format-${formatOf(terms)}`] : []),
    ...(state.locked ? ['post-password-required'] : []),
    ...(state.image ? ['has-post-thumbnail'] : []),
    ...(post.sticky && state.first ? ['sticky'] : []),
    'hentry',
    ...Object.entries(terms).flatMap(([taxonomy, list]) =>
      list.map((term) => `${prefixes[taxonomy] ?? taxonomy}-${cssName(term.slug, term.id)}`),
    ),
  ]
}
