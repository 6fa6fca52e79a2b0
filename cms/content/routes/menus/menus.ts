import { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { MENU } from '../../menus/item-meta.ts'
import { cleanName, sanitizeTextField } from '../../sanitize.ts'
import type { Term } from '../../types.ts'
import { notFound } from '../errors.ts'
import { link } from '../links.ts'
import { listResponse } from '../lists.ts'
import { contextSchema, LIST, orderSchema, pathId, slugList, startOf } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { deletedShape, metaValues } from '../response-shapes.ts'
import { mayEditMenus } from './access.ts'

const listSchema = z.object({
  ...LIST,
  order: orderSchema('asc'),
  orderby: z
    .enum(['id', 'include', 'name', 'slug', 'count'])
    .default('name')
    .describe('Sort collection by menu attribute.'),
  slug: slugList.optional(),
})
const fields = {
  description: z.string().max(10_000).optional().describe('Description of the menu.'),
  slug: z.string().max(200).optional().describe('An alphanumeric identifier for the menu.'),
  locations: z.array(z.string().max(40)).max(50).optional().describe('The locations assigned to the menu.'),
}
const name = z.string().max(200).describe('Name of the menu.')
const createSchema = z.object({ name, ...fields })
const updateSchema = z.object({ id: pathId, name: name.optional(), ...fields })
const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Required to be true, as menus do not support trashing.'),
})

const menuShape: z.ZodType = z
  .looseObject({
    ...{ id: z.int(), description: z.string(), name: z.string(), slug: z.string(), meta: metaValues },
    ...{ locations: z.array(z.string()), auto_add: z.boolean() },
  })
  .meta({ id: 'Menus' })

type Asked = Omit<z.output<typeof updateSchema>, 'id'>

/** `wp/v2/menus`, WordPress's `WP_REST_Menus_Controller`. */
export function registerMenuRoutes({ rest, content, hooks }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const common = { access: mayEditMenus }

  async function find({ params }: Pick<RestRequest, 'params'>): Promise<Term> {
    const term = await content.terms.get(Number(params.id))
    if (term?.taxonomy === MENU) return term
    throw notFound('rest_term_invalid', 'Term does not exist.')
  }

  function prepare(menu: Term): object {
    const locations = Object.entries(content.menus.placed()).flatMap(([place, id]) => (id === menu.id ? [place] : []))
    return {
      id: menu.id,
      description: menu.description,
      name: menu.name,
      slug: menu.slug,
      meta: [],
      locations,
      auto_add: false,
      _links: {
        self: link(url(`/menus/${menu.id}`)),
        collection: link(url('/menus')),
        about: link(url('/taxonomies/nav_menu')),
        'wp:post_type': link(`${url('/menu-items')}?menus=${menu.id}`),
      },
    }
  }

  const cleaned = ({ name, description, slug }: Asked) => ({
    ...(name !== undefined && { name: cleanName(name) }),
    ...(description !== undefined && { description: sanitizeTextField(description) }),
    ...(slug !== undefined && { slug }),
  })

  /** WordPress's code for a name that another menu has. */
  async function stored(write: Promise<Term>): Promise<Term> {
    try {
      return await write
    } catch (error) {
      if (!(error instanceof RestError) || error.code !== 'term_exists') throw error
      throw new RestError('menu_exists', 'A menu with that name already exists. Choose another name.', { status: 400 })
    }
  }

  async function finish(menu: Term, { locations }: Asked): Promise<object> {
    if (locations) await content.menus.place(menu.id, locations)
    await hooks.doActionAsync('wp_update_nav_menu', menu.id)
    return prepare(menu)
  }

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'GET',
    path: '/menus',
    summary: 'Lists menus.',
    input: listSchema,
    response: z.array(menuShape),
    async handler(request) {
      const asked = request.input
      const { items, total } = await content.terms.query({
        ...{ taxonomy: MENU, include: asked.include, exclude: asked.exclude, slugs: asked.slug, search: asked.search },
        ...{ orderBy: asked.orderby, order: asked.order, ...startOf(asked) },
      })
      const { page, per_page: perPage } = asked
      return listResponse(request, { url: url('/menus'), items: items.map(prepare), total, page, perPage })
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'GET',
    path: '/menus/{id:\\d+}',
    summary: 'Returns a menu.',
    input: z.object({ id: pathId, context: contextSchema }),
    response: menuShape,
    handler: async (request) => prepare(await find(request)),
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'POST',
    path: '/menus',
    summary: 'Creates a menu.',
    input: createSchema,
    response: menuShape,
    async handler({ input }) {
      const { name: asked = '', ...rest } = cleaned(input)
      const menu = await stored(content.terms.insert(MENU, { name: asked, ...rest }))
      const headers = { Location: url(`/menus/${menu.id}`) }
      return new RestResponse(await finish(menu, input), { status: 201, headers })
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: ['POST', 'PUT', 'PATCH'],
    path: '/menus/{id:\\d+}',
    summary: 'Updates a menu: its name and locations.',
    input: updateSchema,
    response: menuShape,
    async handler(request) {
      const { id } = await find(request)
      return finish(await stored(content.terms.update(id, cleaned(request.input))), request.input)
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'DELETE',
    path: '/menus/{id:\\d+}',
    summary: 'Deletes a menu with its items.',
    input: deleteSchema,
    response: deletedShape(menuShape),
    async handler(request) {
      const menu = await find(request)
      if (!request.input.force) {
        const message = "Menus do not support trashing. Set 'force=true' to delete."
        throw new RestError('rest_trash_not_supported', message, { status: 501 })
      }
      const previous = prepare(menu)
      await content.menus.delete(menu.id)
      return { deleted: true, previous }
    },
  })
}
