import { type ExtensionHost, type PageKind, type Post, type PostQuery, plainText } from 'pentad'
import type { Described } from '../head/variables.ts'

/** Kinds of pages with their own templates. */
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
  pageLabel: '',
  totalPages: 1,
  locked: false,
  addTags() {},
}

/** A page of the kind as visitors see it: the newest post or the largest term, otherwise a made-up one. */
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
      if (!term) return at('/example/', { kind, title: 'Example' })
      const posts = await listed(host, { terms: { [taxonomy]: { ids: [term.id], withChildren: kind === 'category' } } })
      return { ...at('', { kind, term, title: plainText(term.name), posts }), url: content.link(term) }
    }
    case 'author': {
      const newest = await newestPost(host, 'post')
      const author = newest && (await host.auth.users.get(newest.authorId))
      if (!author) return at('/author/example/', { kind: 'author', title: 'Example' })
      const posts = await listed(host, { authors: [author.id] })
      return at(content.permalinks().author(author.slug), { kind: 'author', author, title: author.displayName, posts })
    }
    case 'date': {
      const newest = await newestPost(host, 'post')
      const [year = 0, month = 0] = (newest?.date ?? new Date().toISOString()).split('-').map(Number)
      const first = new Date(Date.UTC(year, month - 1))
      const title = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(first)
      const posts = await listed(host, {
        after: first.toISOString(),
        before: new Date(Date.UTC(year, month)).toISOString(),
      })
      const path = content.permalinks().date({ year, month })
      return at(path, { kind: 'date', date: { year, month }, title, posts })
    }
    case 'archive': {
      const types = [...content.postTypes().values()]
      const postType = types.find((type) => type.public && type.hasArchive)
      if (!postType) return at('/example/', { kind: 'post-type', title: 'Example' })
      const posts = await listed(host, { types: [postType.name] })
      return at(content.permalinks().type(postType.name), { kind: 'post-type', postType, title: postType.label, posts })
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

/** The first page of a list. */
async function listed({ content }: Host, those: PostQuery): Promise<readonly Post[]> {
  const limit = content.siteSettings().postsPerPage
  const { items } = await content.posts.query({ types: ['post'], statuses: ['publish'], limit, ...those })
  return items
}

function ofPost({ content }: Host, post: Post): Sample {
  const { showOnFront, pageOnFront } = content.siteSettings()
  const isFront = showOnFront === 'page' && pageOnFront === post.id
  const kind = post.type === 'page' || post.type === 'attachment' ? KIND_OF[post.type] : 'single'
  const page = { ...NOTHING, kind: isFront ? ('front-page' as const) : kind, post, posts: [post] }
  return { page: { ...page, title: plainText(content.renderTitle(post)) }, url: content.link(post) }
}
