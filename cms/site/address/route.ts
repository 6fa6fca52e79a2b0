import { encodeSlug, joinPath, splitPath } from '../../content/permalinks/path.ts'
import { slugOfPath } from '../../content/post-formats.ts'
import type { Content, PostType } from '../../content/types.ts'
import type { ArchiveDate } from '../types.ts'

/** The route of a request, before any query. Slugs are in WordPress's encoding. */
export type Route =
  | { readonly to: 'home' }
  | { readonly to: 'path'; readonly path: string }
  /** `address` if the post came from another site, where it had this ID. */
  | { readonly to: 'post'; readonly id: number; readonly address: string }
  /** `path` if there is no such term. */
  | { readonly to: 'term'; readonly taxonomy: string; readonly slug: string; readonly path?: string | undefined }
  | { readonly to: 'term-id'; readonly id: number }
  | { readonly to: 'archive'; readonly type: string }
  | { readonly to: 'author'; readonly slug: string }
  | { readonly to: 'author-id'; readonly id: number }
  /** `base` is the path of the first page: `/`, or `/search/<words>/`. */
  | { readonly to: 'search'; readonly words: string; readonly base: string }
  /** `path` if a post has this path. */
  | { readonly to: 'date'; readonly date: ArchiveDate; readonly path?: string | undefined }
  | { readonly to: 'comments' }
  | { readonly to: 'nowhere' }

export interface Address {
  readonly route: Route
  readonly pageNumber: number
  readonly feed: boolean
  /**
   * Set if the last segment may be a feed name or `embed` (WordPress's endpoints), as in `/about/atom/`. A post, page
   * or term with exactly this path takes precedence.
   */
  readonly endpointOf?: { readonly route: Route; readonly feed: boolean } | undefined
  readonly preview: boolean
  /** Query parameters consumed by the route; others are kept in redirects. */
  readonly used: readonly string[]
}

const FEEDS = new Set(['rss', 'rss2', 'rdf', 'atom', 'feed'])
/** `comments-rss2`: the comments feed. */
const COMMENTS_FEED = /^comments-/
/** Feed files of WordPress 1, which WordPress also still redirects. */
const FEED_FILE = /^wp-(?:atom|rdf|rss2?|feed|(commentsrss2))\.php$/i
/** Maximum length of a search phrase; longer ones are truncated. */
const SEARCH_LENGTH = 200

/**
 * Parses the path and query of a request with WordPress's rewrite rules. @param content provides the archives of
 * taxonomies and post types
 */
export function readAddress(
  path: string,
  query: URLSearchParams,
  content: Pick<Content, 'taxonomies' | 'postTypes' | 'permalinks'>,
): Address {
  const parts = splitPath(path)
  if (!parts) return { route: { to: 'nowhere' }, pageNumber: 1, feed: false, preview: false, used: [] }
  if (parts[0]?.toLowerCase() === 'index.php') parts.shift()
  const file = FEED_FILE.exec(parts.at(-1) ?? '')
  if (file) return { route: { to: file[1] ? 'comments' : 'home' }, pageNumber: 1, feed: true, preview: false, used: [] }

  const feed = takeFeed(parts)
  const pageNumber = takePageNumber(parts)
  if (feed && isComments(parts)) return { route: { to: 'comments' }, pageNumber, feed, preview: false, used: [] }
  takeCommentPage(parts)
  const askedFeed = query.get('feed') ?? ''
  const asksFeed = FEEDS.has(askedFeed.replace(COMMENTS_FEED, ''))
  const paged = positive(query.get('paged'))
  const fromPath = readPath(parts, content)
  const preview = query.get('preview') === 'true'
  if (fromPath.to !== 'home') {
    const week = fromPath.to === 'date' && fromPath.date.month === undefined ? readWeek(query) : undefined
    const used = [...(asksFeed ? ['feed'] : []), ...(paged ? ['paged'] : []), ...(week === undefined ? [] : ['w'])]
    const route: Route =
      fromPath.to === 'date' && week !== undefined ? { to: 'date', date: { ...fromPath.date, week } } : fromPath
    const endpointOf = readEndpoint(parts, fromPath, content)
    return { route, pageNumber: paged ?? pageNumber, feed: feed || asksFeed, endpointOf, preview, used }
  }

  const { route, used } = readQuery(query, content.postTypes())
  return {
    route: route.to === 'home' && asksFeed && COMMENTS_FEED.test(askedFeed) ? { to: 'comments' } : route,
    pageNumber: pageNumber > 1 ? pageNumber : (paged ?? positive(query.get('page')) ?? 1),
    feed: feed || asksFeed,
    preview,
    used: [...used, 'paged', 'page', 'feed'],
  }
}

/** Strips `feed`, `feed/rss2`, … from the end. */
function takeFeed(parts: string[]): boolean {
  const last = parts.at(-1)?.toLowerCase()
  if (last === 'feed') return parts.pop() !== undefined
  if (last && FEEDS.has(last) && parts.at(-2)?.toLowerCase() === 'feed') return parts.splice(-2).length > 0
  return false
}

const isComments = (parts: readonly string[]) => parts.length === 1 && parts[0]?.toLowerCase() === 'comments'

/**
 * The route that a feed name or `embed` at the end belongs to; none if it is the name of an author, or part of a search
 * phrase.
 */
function readEndpoint(
  parts: readonly string[],
  { to }: Route,
  content: Pick<Content, 'taxonomies' | 'postTypes' | 'permalinks'>,
): Address['endpointOf'] {
  const last = parts.at(-1)?.toLowerCase() ?? ''
  const feed = FEEDS.has(last)
  if (!(feed || last === 'embed') || to === 'author' || to === 'search' || to === 'archive') return undefined
  const rest = parts.slice(0, -1)
  return { route: feed && isComments(rest) ? { to: 'comments' } : readPath(rest, content), feed }
}

/** Strips `page/7` from the end. */
function takePageNumber(parts: string[]): number {
  const number = parts.at(-2)?.toLowerCase() === 'page' ? positive(parts.at(-1)) : undefined
  if (number === undefined) return 1
  parts.splice(-2)
  return number
}

/**
 * Strips `comment-page-7` from the end: all comments are on the page of the post, and links of imported sites point
 * there.
 */
function takeCommentPage(parts: string[]): void {
  if (parts.length > 1 && /^comment-page-\d+$/i.test(parts.at(-1) ?? '')) parts.pop()
}

function readPath(parts: readonly string[], content: Pick<Content, 'taxonomies' | 'postTypes' | 'permalinks'>): Route {
  const [first, second] = parts
  if (first === undefined) return { to: 'home' }
  const path = joinPath(parts)
  const { front, dateFront } = content.permalinks()
  if (parts.length === 2 && encodeSlug(first) === 'search' && second !== undefined)
    return { to: 'search', words: second.slice(0, SEARCH_LENGTH), base: `/search/${encodeURIComponent(second)}/` }
  const archive = readArchive(path, content, front)
  if (archive) return archive
  // Archives also respond without the front prefix, as before the structure had one.
  for (const start of new Set([dateFront, front, '/'])) {
    const date = path.startsWith(start) ? readDate(slugsOf(path.slice(start.length))) : undefined
    if (date) return { to: 'date', date, path }
  }
  return { to: 'path', path }
}

/** An archive of a post type, an author or a term. */
function readArchive(
  path: string,
  content: Pick<Content, 'taxonomies' | 'postTypes'>,
  front: string,
): Route | undefined {
  for (const start of new Set([front, '/'])) {
    const [name = '', slug, ...more] = path.startsWith(start) ? slugsOf(path.slice(start.length)) : []
    if (slug === undefined && hasArchive(content.postTypes().get(name))) return { to: 'archive', type: name }
    if (name === 'author' && slug !== undefined && more.length === 0) return { to: 'author', slug }
  }
  for (const { name, public: isPublic, rewriteSlug } of content.taxonomies().values()) {
    const base = `/${rewriteSlug}/`
    const start = [base, base.startsWith(front) ? base.slice(front.length - 1) : base].find((each) =>
      path.startsWith(each),
    )
    const slug = isPublic && start !== undefined ? slugsOf(path.slice(start.length)).at(-1) : undefined
    if (slug !== undefined) return { to: 'term', taxonomy: name, slug: slugOfPath(name, slug), path }
  }
  return undefined
}

const slugsOf = (path: string) => path.split('/').filter((part) => part !== '')

function readDate(parts: readonly string[]): ArchiveDate | undefined {
  const [year = '', month, day] = parts
  if (parts.length > 3 || !/^\d{4}$/.test(year) || !parts.slice(1).every((part) => /^\d{1,2}$/.test(part)))
    return undefined
  return {
    year: Number(year),
    month: month === undefined ? undefined : Number(month),
    day: day === undefined ? undefined : Number(day),
  }
}

function hasArchive(type: PostType | undefined): boolean {
  return type?.public === true && type.hasArchive
}

/** The route of query parameters, with the parameters it consumes. */
export function readQuery(
  query: URLSearchParams,
  types: ReadonlyMap<string, PostType>,
): { route: Route; used: readonly string[] } {
  const words = query.get('s')
  // The search phrase stays in the query, where the search form puts it.
  if (words !== null)
    return { route: { to: 'search', words: words.trim().slice(0, SEARCH_LENGTH), base: '/' }, used: [] }
  for (const name of ['p', 'page_id', 'attachment_id']) {
    const id = positive(query.get(name))
    if (id !== undefined) return { route: { to: 'post', id, address: `/?${name}=${id}` }, used: [name] }
  }
  const category = positive(query.get('cat'))
  if (category !== undefined) return { route: { to: 'term-id', id: category }, used: ['cat'] }
  const author = positive(query.get('author'))
  if (author !== undefined) return { route: { to: 'author-id', id: author }, used: ['author'] }
  const authorName = query.get('author_name')
  if (authorName) return { route: { to: 'author', slug: encodeSlug(authorName) }, used: ['author_name'] }
  const tag = query.get('tag')
  if (tag) return { route: { to: 'term', taxonomy: 'post_tag', slug: encodeSlug(tag) }, used: ['tag'] }
  const categoryName = query.get('category_name')?.split('/').at(-1)
  if (categoryName)
    return { route: { to: 'term', taxonomy: 'category', slug: encodeSlug(categoryName) }, used: ['category_name'] }
  const date = readDateQuery(query)
  if (date) return { route: { to: 'date', date }, used: DATE_QUERY }
  const type = query.get('post_type') ?? ''
  if (hasArchive(types.get(type))) return { route: { to: 'archive', type }, used: ['post_type'] }
  return { route: { to: 'home' }, used: [] }
}

const DATE_QUERY = ['m', 'year', 'monthnum', 'day', 'w']

/** `m=202601`, or `year=2026&monthnum=1`, with or without a day; `m=2026&w=5` and `year=2026&w=5` for a week. */
function readDateQuery(query: URLSearchParams): ArchiveDate | undefined {
  const [, ...together] = /^(\d{4})(\d{2})?(\d{2})?$/.exec(query.get('m') ?? '') ?? []
  const apart = DATE_QUERY.slice(1, 4).map((name) => query.get(name) ?? undefined)
  const given = together.length > 0 ? together : apart
  const last = given.findLastIndex((part) => part !== undefined)
  const date = readDate(given.slice(0, last + 1).map((part) => part ?? ''))
  return date?.month === undefined ? date && { ...date, week: readWeek(query) } : date
}

function readWeek(query: URLSearchParams): number | undefined {
  return /^\d{1,2}$/.test(query.get('w') ?? '') ? Number(query.get('w')) : undefined
}

/** A positive integer, small enough for any database; otherwise `undefined`. */
function positive(text: string | null | undefined): number | undefined {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
