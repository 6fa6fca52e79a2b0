import { type ExtensionHost, type PageKind, type Post, plainText } from 'pentad'
import type { Described } from '../head/variables.ts'

/** Kinds of pages that have templates of their own. */
export const KINDS = [
  'home',
  'post',
  'page',
  'attachment',
  'category',
  'tag',
  'author',
  'date',
  'archive',
  'search',
  'notFound',
] as const
export type SampleKind = (typeof KINDS)[number]

type Host = Pick<ExtensionHost, 'content' | 'auth' | 'site'>

export interface Sample {
  readonly page: Described
  readonly url: string
}

const NOTHING: Described = {
  kind: 'home',
  title: '',
  status: 200,
  post: undefined,
  posts: [],
  term: undefined,
  postType: undefined,
  author: undefined,
  date: undefined,
  search: undefined,
  pageNumber: 1,
  totalPages: 1,
  locked: false,
  addTags() {},
}

/** A page of that kind as visitors would get it: of posts the newest, of terms the largest; else one that could be. */
export async function samplePage(host: Host, kind: SampleKind): Promise<Sample> {
  const { content, site } = host
  const at = (path: string, page: Partial<Described>) => ({ page: { ...NOTHING, ...page }, url: site.url + path })
  switch (kind) {
    case 'post':
    case 'page':
    case 'attachment': {
      const newest = await newestPost(host, kind)
      return newest ? ofPost(host, newest) : at('/example/', { kind: KIND_OF[kind], title: 'Example' })
    }
    case 'category':
    case 'tag': {
      const taxonomy = kind === 'tag' ? 'post_tag' : 'category'
      const { items } = await content.terms.query({ taxonomy, orderBy: 'count', order: 'desc', limit: 1 })
      const [term] = items
      const title = plainText(term?.name ?? 'Example')
      return { ...at('/example/', { kind, term, title }), ...(term && { url: content.link(term) }) }
    }
    case 'author': {
      const newest = await newestPost(host, 'post')
      const author = newest && (await host.auth.users.get(newest.authorId))
      return at('/author/', { kind: 'author', author, title: author?.displayName ?? 'Example' })
    }
    case 'date': {
      const now = new Date()
      const date = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }
      const title = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(now)
      return at(`/${date.year}/${String(date.month).padStart(2, '0')}/`, { kind: 'date', date, title })
    }
    case 'archive': {
      const postType = content.postTypes().get('post')
      return at('/example/', { kind: 'post-type', postType, title: postType?.label ?? '' })
    }
    case 'search':
      return at('/?s=example', { kind: 'search', search: 'example', title: 'Search results for “example”' })
    case 'notFound':
      return at('/not-there/', { kind: '404', status: 404, title: 'Page not found' })
    default: {
      const { showOnFront, pageOnFront } = content.siteSettings()
      const front = showOnFront === 'page' ? await content.posts.get(pageOnFront) : undefined
      return front ? ofPost(host, front) : at('/', { kind: 'home' })
    }
  }
}

const KIND_OF: Readonly<Record<'post' | 'page' | 'attachment', PageKind>> = {
  post: 'single',
  page: 'page',
  attachment: 'attachment',
}

async function newestPost({ content }: Host, type: string): Promise<Post | undefined> {
  const statuses = type === 'attachment' ? ['inherit'] : ['publish']
  const { items } = await content.posts.query({ types: [type], statuses, hasPassword: false, limit: 1 })
  return items[0]
}

function ofPost({ content }: Host, post: Post): Sample {
  const { showOnFront, pageOnFront } = content.siteSettings()
  const isFront = showOnFront === 'page' && pageOnFront === post.id
  const kind = post.type === 'page' || post.type === 'attachment' ? KIND_OF[post.type] : 'single'
  const page = { ...NOTHING, kind: isFront ? ('front-page' as const) : kind, post, posts: [post] }
  return { page: { ...page, title: plainText(content.renderTitle(post)) }, url: content.link(post) }
}
