import { z } from 'zod'
import type { RestRequest } from '../../../core/rest/types.ts'
import type { Post, Term } from '../types.ts'
import { badRequest, invalidParameter } from './errors.ts'
import { ALL, type Context, type Fields, readFields, wantedFields } from './fields.ts'
import { embeddable, type Links, link } from './links.ts'
import { listResponse } from './lists.ts'
import { COLLECTION, idList, startOf } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'
import { itemShape } from './response-shapes.ts'

const listSchema = z.object({
  ...COLLECTION,
  context: z.enum(['view', 'embed']).default('view'),
  type: z.enum(['post', 'term', 'post-format']).default('post').describe('Limit results to items of an object type.'),
  subtype: z.array(z.string()).default(['any']).describe('Limit results to items of one or more object subtypes.'),
  exclude: idList.describe('Ensure result set excludes specific IDs.'),
  include: idList.describe('Limit result set to specific IDs.'),
})

type Asked = z.output<typeof listSchema>

/** A search result of any kind. */
interface Found {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly subtype: string
}

const FIELDS: Fields<Found, undefined> = {
  id: { contexts: ALL, schema: z.int(), read: ({ id }) => id },
  title: { contexts: ALL, schema: z.string(), read: ({ title }) => title },
  url: { contexts: ALL, schema: z.string(), read: ({ url }) => url },
  type: { contexts: ALL, schema: z.string(), read: ({ type }) => type },
  subtype: { contexts: ALL, schema: z.string(), read: ({ subtype }) => subtype },
}

/** `wp/v2/search`: public content only, regardless of the caller; no drafts, private posts or media. */
export function registerSearchRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)

  const postTypes = () =>
    [...content.postTypes().values()].filter(
      (type) => type.public && type.restBase !== null && type.name !== 'attachment',
    )
  const taxonomies = () => [...content.taxonomies().values()].filter((one) => one.public && one.restBase !== null)

  /** Names of the searched types. @throws RestError for an unknown name */
  function subtypes(asked: Asked): string[] {
    const known = (asked.type === 'term' ? taxonomies() : asked.type === 'post' ? postTypes() : []).map(
      ({ name }) => name,
    )
    const wrong = asked.subtype.findIndex((name) => name !== 'any' && !known.includes(name))
    if (wrong >= 0) {
      const message = `subtype[${wrong}] is not one of ${[...known, 'any'].join(', ')}.`
      throw invalidParameter('subtype', { code: 'rest_not_in_enum', message, data: null })
    }
    return asked.subtype.length === 0 || asked.subtype.includes('any') ? known : asked.subtype
  }

  async function findPosts(asked: Asked, types: readonly string[]): Promise<{ items: Found[]; total: number }> {
    const { items, total } = await content.posts.query({
      types,
      readableBy: null,
      search: asked.search,
      include: asked.include,
      exclude: asked.exclude,
      orderBy: asked.search ? 'relevance' : 'date',
      ...startOf(asked),
    })
    return { items: items.map(foundPost), total }
  }

  function foundPost(post: Post): Found {
    const title =
      post.password === '' ? content.renderTitle(post) : hooks.applyFilters('the_title', post.title, post.id)
    return { id: post.id, title, url: content.link(post), type: 'post', subtype: post.type }
  }

  /** Each taxonomy gives what the page needs; together they are one list, in the order of the taxonomies. */
  async function findTerms(asked: Asked, names: readonly string[]): Promise<{ items: Found[]; total: number }> {
    const { limit, offset } = startOf(asked)
    const items: Found[] = []
    let total = 0
    for (const taxonomy of names) {
      const found = await content.terms.query({
        taxonomy,
        search: asked.search,
        include: asked.include,
        exclude: asked.exclude,
        orderBy: 'name',
        limit: limit - items.length,
        offset: Math.max(0, offset - total),
      })
      items.push(...found.items.map(foundTerm))
      total += found.total
    }
    return { items, total }
  }

  function foundTerm(term: Term): Found {
    return { id: term.id, title: term.name, url: content.link(term), type: 'term', subtype: term.taxonomy }
  }

  function linksOf({ id, type, subtype }: Found): Links {
    const kind = type === 'term' ? content.taxonomies().get(subtype) : content.postTypes().get(subtype)
    return {
      self: embeddable(url(`/${kind?.restBase}/${id}`)),
      about: link(url(`/${type === 'term' ? 'taxonomies' : 'types'}/${subtype}`)),
      collection: link(url('/search')),
    }
  }

  async function prepare(found: Found, request: RestRequest, context: Context): Promise<unknown> {
    const wants = wantedFields(request.query)
    const data = await readFields(FIELDS, found, undefined, { context, wants })
    if (wants('_links')) data._links = linksOf(found)
    return data
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/search',
    access: 'public',
    summary: 'Searches posts and terms.',
    input: listSchema,
    response: z.array(itemShape('SearchResults', FIELDS)),
    async handler(request) {
      const asked = request.input
      const names = subtypes(asked)
      const { items, total } =
        names.length === 0
          ? { items: [], total: 0 }
          : await (asked.type === 'term' ? findTerms(asked, names) : findPosts(asked, names))
      const { page, per_page: perPage } = asked
      if (total > 0 && page > Math.ceil(total / perPage)) {
        const message = 'The page number requested is larger than the number of pages available.'
        throw badRequest('rest_search_invalid_page_number', message)
      }
      const responses = await Promise.all(items.map((found) => prepare(found, request, asked.context)))
      return listResponse(request, { url: url('/search'), items: responses, total, page, perPage })
    },
  })
}
