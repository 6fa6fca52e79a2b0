import { z } from 'zod'
import type { Undo } from '../../../../core/hooks/types.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Content, Meta, Taxonomy, Term } from '../../types.ts'
import { declaredMeta, storedMeta } from '../declared-meta.ts'
import { accessDenied, notFound } from '../errors.ts'
import { ALL, type Context, type Fields, readFields, VIEW_EDIT, wantedFields } from '../fields.ts'
import { CURIES, embeddable, type Links, link } from '../links.ts'
import { listResponse } from '../lists.ts'
import { one, plural } from '../nouns.ts'
import { contextSchema, LIST, orderSchema, pathId, slugList, startOf } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { itemShape, metaValues, nameOf } from '../response-shapes.ts'
import { registerTermWrites } from './write.ts'

const ORDERS = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const

const listShape = {
  ...LIST,
  order: orderSchema('asc'),
  orderby: z.enum(ORDERS).default('name').describe('Sort collection by term attribute.'),
  hide_empty: z.boolean().default(false).describe('Whether to hide terms not assigned to any posts.'),
  post: z.int().optional().describe('Limit result set to terms assigned to a specific post.'),
  slug: slugList.optional(),
}

const flatSchema = z.object(listShape)
const treeSchema = flatSchema.extend({
  parent: z.int().optional().describe('Limit result set to terms assigned to a specific parent.'),
})

const itemSchema = z.object({ id: pathId, context: contextSchema })

/** The routes of one taxonomy: list, single term, and writes. Returns a function that removes them. */
export function registerTermRoutes(parts: RouteParts, taxonomy: Taxonomy): Undo {
  const { rest, content, hooks } = parts
  const path = `/${taxonomy.restBase}`
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const fields = termFields(taxonomy, content)
  const response = itemShape(nameOf(taxonomy.label, taxonomy.name), fields)

  function linksOf(term: Term): Links {
    const types = [...content.postTypes().values()].filter(({ name, restBase }) => {
      return restBase !== null && taxonomy.types.includes(name)
    })
    return {
      self: link(url(`${path}/${term.id}`)),
      collection: link(url(path)),
      about: link(url(`/taxonomies/${taxonomy.name}`)),
      ...(term.parentId > 0 && { up: embeddable(url(`${path}/${term.parentId}`)) }),
      ...(types.length > 0 && {
        'wp:post_type': types.map(({ restBase }) => ({
          href: `${url(`/${restBase}`)}?${taxonomy.restBase}=${term.id}`,
        })),
        ...CURIES,
      }),
    }
  }

  async function prepare(terms: readonly Term[], request: RestRequest, context: Context): Promise<unknown[]> {
    const wants = wantedFields(request.query)
    const ids = terms.map(({ id }) => id)
    const around = { context, metas: await storedMeta(content, metaPlace(taxonomy), { ids, context, wants }) }
    const name: `rest_prepare_${string}` = `rest_prepare_${taxonomy.name}`
    return Promise.all(
      terms.map(async (term) => {
        const data = await readFields(fields, term, around, { context, wants })
        if (wants('_links')) data._links = linksOf(term)
        return hooks.hasFilter(name) ? hooks.applyFiltersAsync(name, data, term, request) : data
      }),
    )
  }

  async function prepareOne(term: Term, request: RestRequest, context: Context): Promise<unknown> {
    const [response] = await prepare([term], request, context)
    return response
  }

  /** The terms of a post are only visible to users who can read it. */
  async function checkPost(request: RestRequest, id: number): Promise<void> {
    const post = await content.posts.get(id)
    if (!post || (await content.canRead(post, request.user))) return
    throw accessDenied(
      request.user,
      'rest_forbidden_context',
      'Sorry, you are not allowed to view terms for this post.',
    )
  }

  const withdrawList = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path,
    access: 'public',
    summary: `Lists ${plural(taxonomy)}.`,
    input: taxonomy.hierarchical ? treeSchema : flatSchema,
    response: z.array(response),
    async handler(request) {
      const { context, page, per_page: perPage, ...asked } = treeSchema.parse(request.input)
      if (context === 'edit' && !(await request.can('manage_categories'))) {
        const message = 'Sorry, you are not allowed to edit terms in this taxonomy.'
        throw accessDenied(request.user, 'rest_forbidden_context', message)
      }
      if (asked.post !== undefined) await checkPost(request, asked.post)
      const { items, total } = await content.terms.query({
        taxonomy: taxonomy.name,
        include: asked.include,
        exclude: asked.exclude,
        slugs: asked.slug,
        parent: asked.parent,
        postId: asked.post,
        search: asked.search,
        hideEmpty: asked.hide_empty,
        orderBy: asked.orderby,
        order: asked.order,
        ...startOf({ page, per_page: perPage, offset: asked.offset }),
      })
      const responses = await prepare(items, request, context)
      return listResponse(request, { url: url(path), items: responses, total, page, perPage })
    },
  })

  const withdrawItem = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{id:\\d+}`,
    access: 'public',
    summary: `Returns ${one(taxonomy)}.`,
    input: itemSchema,
    response,
    async handler(request) {
      const { context } = request.input
      const term = await content.terms.get(Number(request.params.id))
      if (term?.taxonomy !== taxonomy.name) throw notFound('rest_term_invalid', 'Term does not exist.')
      if (context === 'edit' && !(await request.can('edit_term', term.id))) {
        throw accessDenied(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this term.')
      }
      return prepareOne(term, request, context)
    },
  })

  const withdrawWrites = registerTermWrites(parts, taxonomy, {
    prepare: (term, request) => prepareOne(term, request, 'edit'),
    response,
  })

  return () => {
    withdrawWrites()
    withdrawList()
    withdrawItem()
  }
}

const metaPlace = ({ name }: Taxonomy) => ({ kind: 'term', subtype: name }) as const

/** Related data for the terms of a response. */
interface AroundTerms {
  readonly context: Context
  readonly metas: ReadonlyMap<number, Meta>
}

/** The fields of a term in WordPress's order. */
function termFields(taxonomy: Taxonomy, content: Content): Fields<Term, AroundTerms> {
  return {
    id: { contexts: ALL, schema: z.int(), read: (term) => term.id },
    count: { contexts: VIEW_EDIT, schema: z.int(), read: (term) => term.count },
    description: {
      contexts: VIEW_EDIT,
      schema: z.string(),
      read: (term) => content.currentAddresses(term.description),
    },
    link: { contexts: ALL, schema: z.string(), read: (term) => content.link(term) },
    name: { contexts: ALL, schema: z.string(), read: (term) => term.name },
    slug: { contexts: ALL, schema: z.string(), read: (term) => term.slug },
    taxonomy: { contexts: ALL, schema: z.string(), read: (term) => term.taxonomy },
    ...(taxonomy.hierarchical && {
      parent: { contexts: VIEW_EDIT, schema: z.int(), read: (term: Term) => term.parentId },
    }),
    meta: {
      contexts: VIEW_EDIT,
      schema: metaValues,
      read: (term, { metas, context }) =>
        declaredMeta(content, metaPlace(taxonomy), { stored: metas.get(term.id), context }),
    },
  }
}
