import { z } from 'zod'
import type { Undo } from '../../../../core/hooks/types.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { charactersIn } from '../../../text/characters-in.ts'
import type { Post, PostType, Taxonomy } from '../../types.ts'
import { fieldReader } from '../fields.ts'
import { itemShape, nameOf } from '../response-shapes.ts'
import '../hooks.ts'
import { accessDenied, badRequest } from '../errors.ts'
import { listResponse } from '../lists.ts'
import { registerMediaWrites } from '../media/index.ts'
import { one, plural } from '../nouns.ts'
import { contextSchema, pathId } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { editablePosts, readPost } from './access.ts'
import { lookAround } from './around.ts'
import { registerAutosaveRoutes } from './autosaves.ts'
import { postFields } from './fields.ts'
import { postLinks, withActions } from './links.ts'
import { createListMemory, type ReadList } from './list-memory.ts'
import { anyListSchema, listSchema } from './parameters.ts'
import { postQuery } from './query.ts'
import { createRevisionParts } from './revision-parts.ts'
import { registerRevisionRoutes } from './revisions.ts'
import type { AroundPosts, Asked } from './types.ts'
import { registerPostWriteRoutes } from './write.ts'

const itemSchema = z.object({
  id: pathId,
  context: contextSchema,
  password: z.string().optional().describe('The password for the post if it is password protected.'),
})

const pageSchema = anyListSchema.pick({ page: true, per_page: true })

/** Taxonomies of a type that REST exposes, in registration order. */
export function taxonomiesOf(type: PostType, all: ReadonlyMap<string, Taxonomy>): Taxonomy[] {
  return [...all.values()].filter(({ name, types, restBase }) => {
    return restBase !== null && (types.includes(type.name) || type.taxonomies.includes(name))
  })
}

/** The routes of one post type: list, single post, writes, revisions and autosaves. Returns a function that removes them. */
export function registerPostRoutes(parts: RouteParts, type: PostType): Undo {
  const { rest, content, hooks, siteUrl } = parts
  const taxonomies = taxonomiesOf(type, content.taxonomies())
  const fields = postFields(type, taxonomies, hooks, siteUrl)
  const response = itemShape(nameOf(type.label, type.name), fields)
  const linkParts = { type, taxonomies, url: rest.url }
  const path = `/${type.restBase}`

  const lists = createListMemory(parts, type)

  const look = (posts: readonly Post[], request: RestRequest, asked: Asked) =>
    lookAround(posts, request, { type, taxonomies, content, asked })

  /** A function that creates the response for each of the posts, before filters. It refers to no request, so that a list can be kept. */
  function readerAround(around: AroundPosts): (post: Post) => Promise<Record<string, unknown>> {
    const { wants, asked } = around
    const read = fieldReader(fields, { context: asked.context, wants })
    return async (post) => {
      const data = await read(post, around)
      if (wants('_links')) {
        const revisions = around.revisions.get(post.id)
        const links = postLinks(post, linkParts, { revisions, featuredId: around.featuredId(post) })
        data._links = withActions(links, around.actions)
      }
      return data
    }
  }

  async function prepare(post: Post, request: RestRequest, asked: Asked): Promise<object> {
    const read = readerAround(await look([post], request, asked))
    return filtered(await read(post), post, request)
  }

  async function filtered(data: Record<string, unknown>, post: Post, request: RestRequest): Promise<object> {
    const name: `rest_prepare_${string}` = `rest_prepare_${type.name}`
    return hooks.hasFilter(name) ? hooks.applyFiltersAsync(name, data, post, request) : data
  }

  const withdrawList = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path,
    access: 'public',
    summary: `Lists ${plural(type)}.`,
    input: listSchema(type, taxonomies),
    response: z.array(response),
    async handler(request) {
      const { page, per_page: perPage } = pageSchema.parse(request.input)
      const list = await lists.get(request, () => readList(request))
      return listResponse(request, { url: rest.url(`/${NAMESPACE}${path}`), ...list, page, perPage })
    },
  })

  async function readList(request: RestRequest): Promise<ReadList> {
    const asked = anyListSchema.parse(request.input)
    const { context, page, per_page: perPage } = asked
    if (context === 'edit' && !(await request.can(type.capabilities.edit_posts))) {
      const message = 'Sorry, you are not allowed to edit posts in this post type.'
      throw accessDenied(request.user, 'rest_forbidden_context', message)
    }
    const own = await postQuery(request, asked, { type, taxonomies, content })
    const name: `rest_${string}_query` = `rest_${type.name}_query`
    const query = hooks.hasFilter(name) ? await hooks.applyFiltersAsync(name, own, request) : own
    const readableBy = context === 'edit' ? undefined : request.user
    const { items, total } = await content.posts.query({ ...query, readableBy })
    if (total > 0 && page > Math.ceil(total / perPage) && asked.offset === undefined) {
      const message = 'The page number requested is larger than the number of pages available.'
      throw badRequest('rest_post_invalid_page_number', message)
    }
    const posts = context === 'edit' ? await editablePosts(items, request) : await content.readable(items, request.user)
    const found = await look(posts, request, { context, password: undefined })
    const read = readerAround(found)
    const isFiltered = hooks.hasFilter(`rest_prepare_${type.name}`)
    return {
      ...{ posts, total, length: () => charactersIn([posts, found.metas, found.terms]) },
      read: isFiltered ? async (post) => filtered(await read(post), post, request) : read,
    }
  }

  const withdrawItem = rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: `${path}/{id:\\d+}`,
    access: 'public',
    summary: `Returns ${one(type)}.`,
    input: itemSchema,
    response,
    async handler(request) {
      const { context, password } = request.input
      const asked = { context, password }
      const post = await readPost(request, type, parts, asked)
      const response = await prepare(post, request, asked)
      if (!type.public) return response
      return new RestResponse(response, {
        headers: { Link: `<${content.link(post)}>; rel="alternate"; type=text/html` },
      })
    },
  })

  const withdraw = [withdrawList, withdrawItem, lists.close]
  const own = { ...parts, type, taxonomies }
  const show = (post: Post, request: RestRequest) => prepare(post, request, { context: 'edit', password: undefined })
  withdraw.push(
    type.name === 'attachment'
      ? registerMediaWrites(own, { show, response })
      : registerPostWriteRoutes(own, { show, response }),
  )
  if (type.supports.includes('revisions')) {
    const revisions = createRevisionParts(own)
    withdraw.push(registerRevisionRoutes(revisions), registerAutosaveRoutes(revisions))
  }

  return () => {
    for (const undo of withdraw) undo()
  }
}
