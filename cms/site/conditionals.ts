import type { User } from '../../core/auth/types.ts'
import type { Post, PostType, Term } from '../content/types.ts'
import { currentPage, postInLoop } from './current-page.ts'
import type { PageContext, PageKind } from './types.ts'

/** An ID, a slug, a title or name; for pages also the path. Several values: any of them. */
export type Which = number | string | readonly (number | string)[]

/**
 * WordPress's conditional tags, for callbacks without a `PageContext`. Calling them does not affect caching. All return
 * `false` (getters `null`) before the page is found, and in REST, jobs, timers and commands.
 */
export interface Conditionals {
  /** `is_home`: the list of posts, wherever it is. */
  isHome(): boolean
  /** `is_front_page`: the page at `/`, a list or a static front page. */
  isFrontPage(): boolean
  /** `is_singular`: a single post of any type, or of the given types. */
  isSingular(types?: string | readonly string[]): boolean
  /** `is_single`: a single post of any type except pages. */
  isSingle(post?: Which): boolean
  /** `is_page` */
  isPage(page?: Which): boolean
  /** `is_attachment` */
  isAttachment(attachment?: Which): boolean
  /** `is_archive`: an archive of a category, tag, custom taxonomy, post type, author or date. */
  isArchive(): boolean
  /** `is_category` */
  isCategory(category?: Which): boolean
  /** `is_tag` */
  isTag(tag?: Which): boolean
  /** `is_tax`: the archive of a custom taxonomy, or of the given one. */
  isTax(taxonomy?: string | readonly string[], term?: Which): boolean
  /** `is_post_type_archive` */
  isPostTypeArchive(types?: string | readonly string[]): boolean
  /** `is_author` */
  isAuthor(author?: Which): boolean
  /** `is_date` */
  isDate(): boolean
  /** `is_year` */
  isYear(): boolean
  /** `is_month` */
  isMonth(): boolean
  /** `is_day` */
  isDay(): boolean
  /** `is_search` */
  isSearch(): boolean
  /** `is_404` */
  is404(): boolean
  /** `is_feed`: the request is for a feed. */
  isFeed(): boolean
  /** `is_preview`: a preview of unpublished content. */
  isPreview(): boolean
  /** `is_paged`: the second or a later page of a list. */
  isPaged(): boolean
  /** `is_robots` */
  isRobots(): boolean
  /** `in_the_loop`: one of the page's own posts is being rendered. */
  inTheLoop(): boolean
  /** The full page context with its request: `$wp_query` in WordPress. */
  getPage(): PageContext | null
  /** `get_queried_object`: the post, term, post type or author of the page. */
  getQueriedObject(): Post | Term | PostType | User | null
  /** `get_queried_object_id`: its ID; 0 if it has none. */
  getQueriedObjectId(): number
  /** `get_post`: the post in the loop, otherwise the post of the page. */
  getPost(): Post | null
  /** `get_the_ID`: the ID of that post. */
  getTheId(): number | null
}

const SINGULAR: readonly PageKind[] = ['front-page', 'single', 'page', 'attachment']
const ARCHIVES: readonly PageKind[] = ['category', 'tag', 'taxonomy', 'post-type', 'author', 'date']

const among = (name: string | undefined, wanted: string | readonly string[] | undefined) =>
  wanted === undefined || (name !== undefined && [wanted].flat().includes(name))

/** Whether an item matches by ID or one of its names. */
function isOne(wanted: Which | undefined, id: number, names: readonly string[]): boolean {
  if (wanted === undefined) return true
  return [wanted]
    .flat()
    .some((one) => (typeof one === 'number' ? one === id : one === String(id) || names.includes(one)))
}

const isPost = (post: Post, wanted?: Which) =>
  isOne(wanted, post.id, [post.slug, post.title, post.path, post.path.replace(/^\/|\/$/g, '')])

const isTerm = (term: Term | undefined, wanted?: Which) =>
  term !== undefined && isOne(wanted, term.id, [term.slug, term.name])

function isKind(...kinds: readonly PageKind[]): boolean {
  const page = currentPage()
  return page !== undefined && kinds.includes(page.kind)
}

/** The single post of the page. */
function singular(): Post | undefined {
  const page = currentPage()
  return page && SINGULAR.includes(page.kind) ? page.post : undefined
}

function queried(page: PageContext | undefined): Post | Term | PostType | User | null {
  return page?.post ?? page?.term ?? page?.postType ?? page?.author ?? null
}

export const conditionals: Conditionals = {
  isHome: () => isKind('home') && currentPage()?.feed === false,
  isFrontPage: () => isKind('front-page') || (conditionals.isHome() && currentPage()?.post === undefined),
  isSingular(types) {
    const post = singular()
    return post !== undefined && among(post.type, types)
  },
  isSingle(wanted) {
    const post = singular()
    return post !== undefined && post.type !== 'page' && isPost(post, wanted)
  },
  isPage(wanted) {
    const post = singular()
    return post !== undefined && post.type === 'page' && isPost(post, wanted)
  },
  isAttachment(wanted) {
    const post = singular()
    return post !== undefined && post.type === 'attachment' && isPost(post, wanted)
  },
  isArchive: () => isKind(...ARCHIVES),
  isCategory: (wanted) => isKind('category') && isTerm(currentPage()?.term, wanted),
  isTag: (wanted) => isKind('tag') && isTerm(currentPage()?.term, wanted),
  isTax(taxonomy, wanted) {
    const term = currentPage()?.term
    return isKind('taxonomy') && among(term?.taxonomy, taxonomy) && isTerm(term, wanted)
  },
  isPostTypeArchive: (types) => isKind('post-type') && among(currentPage()?.postType?.name, types),
  isAuthor(wanted) {
    const author = currentPage()?.author
    return isKind('author') && author !== undefined && isOne(wanted, author.id, [author.slug, author.displayName])
  },
  isDate: () => isKind('date'),
  isYear: () => isKind('date') && currentPage()?.date?.month === undefined,
  isMonth: () => isKind('date') && currentPage()?.date?.month !== undefined && !conditionals.isDay(),
  isDay: () => isKind('date') && currentPage()?.date?.day !== undefined,
  isSearch: () => isKind('search'),
  is404: () => isKind('404'),
  isFeed: () => currentPage()?.feed === true,
  isPreview: () => currentPage()?.preview === true,
  isPaged: () => (currentPage()?.pageNumber ?? 1) > 1 && !isKind('404') && singular() === undefined,
  isRobots: () => isKind('robots'),
  inTheLoop: () => postInLoop() !== undefined,
  getPage: () => currentPage() ?? null,
  getQueriedObject: () => queried(currentPage()),
  getQueriedObjectId() {
    const found = queried(currentPage())
    return found !== null && 'id' in found ? found.id : 0
  },
  getPost: () => postInLoop() ?? currentPage()?.post ?? null,
  getTheId: () => conditionals.getPost()?.id ?? null,
}
