import { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import type { Undo } from '../../../../core/hooks/types.ts'
import type { AccessRequest } from '../../../../core/rest/types.ts'
import { isAutosave } from '../../posts/revisions.ts'
import type { PostQuery } from '../../types.ts'
import { accessDenied, badRequest } from '../errors.ts'
import { listResponse } from '../lists.ts'
import { one } from '../nouns.ts'
import { contextSchema, idList, orderSchema, pathId, startOf } from '../parameters.ts'
import { NAMESPACE } from '../parts.ts'
import { deletedShape, itemShape, nameOf } from '../response-shapes.ts'
import { revisionFields } from './revision-fields.ts'
import type { RevisionParts } from './revision-parts.ts'

/** Default limit; WordPress has none without `per_page`. */
const ALL_REVISIONS = 1000

const ORDERS = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'] as const
const listSchema = z.object({
  parent: pathId,
  context: contextSchema,
  page: z.int().min(1).default(1).describe('Current page of the collection.'),
  per_page: z.int().min(1).max(100).optional().describe('Maximum number of items to be returned in result set.'),
  search: z.string().max(1000).optional().describe('Limit results to those matching a string.'),
  exclude: idList.describe('Ensure result set excludes specific IDs.'),
  include: idList.describe('Limit result set to specific IDs.'),
  offset: z.int().min(0).optional().describe('Offset the result set by a specific number of items.'),
  order: orderSchema('desc'),
  orderby: z.enum(ORDERS).default('date').describe('Sort collection by object attribute.'),
})
const itemSchema = z.object({ parent: pathId, id: pathId, context: contextSchema })
const deleteSchema = z.object({
  parent: pathId,
  id: pathId,
  force: z.boolean().default(false).describe('Required to be true, as revisions do not support trashing.'),
})

/** `/posts/<id>/revisions` of one type. Returns a function that removes the routes. */
export function registerRevisionRoutes(parts: RevisionParts): Undo {
  const { rest, content, hooks, type, path, readableParent, revisionOf, show } = parts
  const fields = revisionFields(type)
  const response = itemShape(`${nameOf(type.label, type.name)}Revisions`, fields)
  const mayRead = async (request: AccessRequest) => (await readableParent(request, 'revisions')) !== undefined

  const list = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{parent:\\d+}/revisions`,
    access: mayRead,
    summary: `Lists revisions of ${one(type)}, newest first.`,
    input: listSchema,
    response: z.array(response),
    async handler(request) {
      const { context, page, offset, per_page: asked } = request.input
      const parentId = Number(request.params.parent)
      const perPage = asked ?? ALL_REVISIONS
      const { items, total } = await content.posts.query(queryOf(request.input, parentId, perPage))
      rejectBeyond({ total, offset, page, pages: Math.ceil(total / perPage) })
      const responses = await Promise.all(
        items.map((item) => show(item, request, { context, fields, name: 'revision' })),
      )
      const url = rest.url(`/${NAMESPACE}${path}/${parentId}/revisions`)
      return listResponse(request, { url, items: responses, total, page, perPage })
    },
  })

  const item = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{parent:\\d+}/revisions/{id:\\d+}`,
    access: mayRead,
    summary: `Returns a revision of ${one(type)}.`,
    input: itemSchema,
    response,
    async handler(request) {
      const parent = await readableParent(request, 'revisions')
      const revision = await revisionOf(parent, Number(request.params.id))
      return show(revision, request, { context: request.input.context, fields, name: 'revision' })
    },
  })

  /** As in WordPress, single revisions cannot be deleted, unless the `map_meta_cap` filter allows it. */
  async function mayDelete(request: AccessRequest): Promise<boolean> {
    const parent = await readableParent(request, 'revisions')
    const refuse = (what: string) =>
      accessDenied(request.user, 'rest_cannot_delete', `Sorry, you are not allowed to delete ${what}.`)
    if (!(await request.can('delete_post', parent.id))) throw refuse('revisions of this post')
    const revision = await revisionOf(parent, Number(request.params.id))
    if (!(await request.can('delete_post', revision.id))) throw refuse('this revision')
    return true
  }

  const remove = rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: `${path}/{parent:\\d+}/revisions/{id:\\d+}`,
    access: mayDelete,
    summary: `Deletes a revision of ${one(type)}.`,
    input: deleteSchema,
    response: deletedShape(response),
    async handler(request) {
      if (!request.input.force) {
        const message = "Revisions do not support trashing. Set 'force=true' to delete."
        throw new RestError('rest_trash_not_supported', message, { status: 501 })
      }
      const parent = await readableParent(request, 'revisions')
      const revision = await revisionOf(parent, Number(request.params.id))
      const previous = await show(revision, request, { context: 'view', fields, name: 'revision' })
      await content.posts.delete(revision.id)
      if (!isAutosave(revision))
        await hooks.limited(AFTER_COMMIT).doActionAsync('wp_delete_post_revision', revision.id, parent.id)
      const response = { deleted: true, previous }
      await hooks.limited(AFTER_COMMIT).doActionAsync('rest_delete_revision', revision, response, request)
      return response
    },
  })

  const withdraw = [list, item, remove]
  return () => {
    for (const undo of withdraw) undo()
  }
}

function queryOf(input: z.output<typeof listSchema>, parentId: number, perPage: number): PostQuery {
  const { search, exclude, include, orderby, order, page, offset } = input
  if (orderby === 'relevance' && !search)
    throw badRequest('rest_no_search_term_defined', 'You need to define a search term to order by relevance.')
  if (orderby === 'include' && include.length === 0)
    throw badRequest(
      'rest_orderby_include_missing_include',
      'You need to define an include parameter to order by include.',
    )
  return {
    ...{ types: ['revision'], statuses: ['inherit'], parents: [parentId], exclude, include, orderBy: orderby, order },
    ...(search && { textContains: search }),
    ...startOf({ page, per_page: perPage, offset }),
  }
}

function rejectBeyond(at: { total: number; offset: number | undefined; page: number; pages: number }): void {
  if (at.total === 0) return
  if (at.offset !== undefined && at.offset >= at.total) {
    const message = 'The offset number requested is larger than or equal to the number of available revisions.'
    throw badRequest('rest_revision_invalid_offset_number', message)
  }
  if (at.offset === undefined && at.page > at.pages) {
    const message = 'The page number requested is larger than the number of pages available.'
    throw badRequest('rest_revision_invalid_page_number', message)
  }
}
