import {
  idsAttribute,
  isSet,
  numberAttribute,
  partOf,
  recordAttribute,
  textAttribute,
} from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import type { Block, Post, PostOrder, PostQuery, TermFilter } from '../../../content/types.ts'
import { currentPage } from '../../current-page.ts'
import { type BlockParts, listTogether, reader, tagPage } from '../parts.ts'

/** Maximum of WordPress's `posts_per_page` in REST. */
const MOST = 100
/** Maximum number of pages of a loop; large offsets are slow. */
const LAST_PAGE = 1000
const ORDERS: Readonly<Record<string, PostOrder>> = {
  date: 'date',
  title: 'title',
  modified: 'modified',
  menu_order: 'menu_order',
  author: 'author',
  ID: 'id',
  name: 'slug',
  parent: 'parent',
}

/** Posts of a query loop. */
export interface FoundPosts {
  readonly posts: readonly Post[]
  /** Current page, from 1. */
  readonly page: number
  readonly pages: number
  /** Name of the page parameter, for a loop with its own query. */
  readonly pageKey: string | undefined
}

export type FindPosts = (block: Block) => Promise<FoundPosts>

/**
 * Finds the posts of the surrounding query loop: those of the page if the loop inherits the query, otherwise its own.
 */
export function createQueries({ content }: BlockParts): FindPosts {
  // Blocks of a loop run in sequence and share the attributes object of their `core/query`.
  const known = new WeakMap<object, { readonly page: number; readonly found: Promise<FoundPosts> }>()

  function queryOf(given: BlockAttributes, page: number): { query: PostQuery; perPage: number } {
    const name = textAttribute(given, 'postType') || 'post'
    const type = content.postTypes().get(name)?.public ? name : 'post'
    const sticky = textAttribute(given, 'sticky')
    const own = numberAttribute(given, 'perPage', { min: 1, max: MOST })
    const perPage = own > 0 ? own : Math.max(1, Math.min(MOST, content.siteSettings().postsPerPage))
    const offset = own > 0 ? numberAttribute(given, 'offset', { max: 10_000 }) : 0
    const authors = idsAttribute(given.author)
    const parents = content.postTypes().get(type)?.hierarchical ? idsAttribute(given.parents) : []
    const terms = termsOf(given)
    const words = textAttribute(given, 'search')
    const isList = authors.length === 0 && Object.keys(terms).length === 0 && words === ''
    const query: PostQuery = {
      types: [type],
      limit: perPage,
      offset: (own > 0 ? perPage * (page - 1) : 0) + offset,
      orderBy: ORDERS[textAttribute(given, 'orderBy')] ?? 'date',
      order: textAttribute(given, 'order').toLowerCase() === 'asc' ? 'asc' : 'desc',
      exclude: idsAttribute(given.exclude),
      readableBy: reader(),
      ...(authors.length > 0 ? { authors } : {}),
      ...(parents.length > 0 ? { parents } : {}),
      ...(Object.keys(terms).length > 0 ? { terms } : {}),
      // A search must not reveal content behind a password.
      ...(words === '' ? {} : { search: words.slice(0, 200), hasPassword: false }),
      ...(sticky === '' ? {} : { sticky: sticky === 'only' }),
      // Otherwise sticky posts come first, as on the home page.
      ...(sticky === '' && isList && type === 'post' && page === 1 && offset === 0 ? { stickyFirst: true } : {}),
    }
    return { query, perPage }
  }

  function termsOf(given: BlockAttributes): Record<string, TermFilter> {
    const terms: Record<string, TermFilter> = {}
    const add = (taxonomy: string, value: Parameters<typeof idsAttribute>[0]) => {
      const ids = idsAttribute(value)
      if (ids.length > 0 && content.taxonomies().get(taxonomy)?.public) terms[taxonomy] = { ids, withChildren: false }
    }
    add('category', given.categoryIds)
    add('post_tag', given.tagIds)
    for (const [taxonomy, ids] of Object.entries(recordAttribute(given.taxQuery)).slice(0, 10)) add(taxonomy, ids)
    return terms
  }

  function inherited(): FoundPosts {
    const shown = currentPage()
    if (!shown) return { posts: [], page: 1, pages: 0, pageKey: undefined }
    return { posts: shown.posts, page: shown.pageNumber, pages: shown.totalPages, pageKey: undefined }
  }

  async function own(given: BlockAttributes, pageKey: string, page: number): Promise<FoundPosts> {
    const { query, perPage } = queryOf(given, page)
    const { items, total } = await content.posts.query(query)
    const types = query.types ?? []
    tagPage(...types.map((type) => `list-${type}`), ...items.map(({ id }) => `post-${id}`))
    listTogether(items)
    const most = numberAttribute(given, 'pages', { max: LAST_PAGE }) || LAST_PAGE
    return { posts: items, page, pages: Math.min(most, Math.ceil(total / perPage)), pageKey }
  }

  return (block) => {
    const given = recordAttribute(block.context.query)
    if (isSet(given, 'inherit')) return Promise.resolve(inherited())
    const id = partOf(block.context, 'queryId')
    const pageKey = typeof id === 'number' || typeof id === 'string' ? `query-${id}-page` : 'query-page'
    const page = pageFrom(currentPage()?.request.query.get(pageKey))
    const before = known.get(given)
    if (before?.page === page) return before.found
    const found = own(given, pageKey, page)
    known.set(given, { page, found })
    return found
  }
}

function pageFrom(text: string | null | undefined): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1
}
