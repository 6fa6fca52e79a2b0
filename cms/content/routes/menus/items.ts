import { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import type { NewMenuItem, ResolvedMenuItem } from '../../types.ts'
import { notFound } from '../errors.ts'
import { link } from '../links.ts'
import { listResponse } from '../lists.ts'
import { startOf } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { deletedShape, metaValues, shownText } from '../response-shapes.ts'
import { mayEditMenus } from './access.ts'
import { createSchema, deleteSchema, itemSchema, listSchema, updateSchema } from './item-parameters.ts'

type Asked = Omit<z.output<typeof updateSchema>, 'id'>

const menuItemShape: z.ZodType = z
  .looseObject({
    ...{ id: z.int(), title: shownText, status: z.string(), url: z.string(), attr_title: z.string() },
    ...{ description: z.string(), type: z.string(), type_label: z.string(), object: z.string(), object_id: z.int() },
    ...{
      parent: z.int(),
      menu_order: z.int(),
      target: z.string(),
      classes: z.array(z.string()),
      xfn: z.array(z.string()),
    },
    ...{ invalid: z.boolean(), meta: metaValues, menus: z.int() },
  })
  .meta({ id: 'MenuItems' })

/** `wp/v2/menu-items`, WordPress's `WP_REST_Menu_Items_Controller`. */
export function registerMenuItemRoutes({ rest, content }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const common = { access: mayEditMenus }

  async function find({ params }: Pick<RestRequest, 'params'>): Promise<ResolvedMenuItem> {
    const id = Number(params.id)
    const [item] = Number.isSafeInteger(id) ? await content.menus.items({ ids: [id] }) : []
    if (item) return item
    throw notFound('rest_post_invalid_id', 'Invalid post ID.')
  }

  function typeLabel({ type, object }: ResolvedMenuItem): string {
    if (type === 'custom') return 'Custom Link'
    if (type === 'taxonomy') return content.taxonomies().get(object)?.singularLabel ?? object
    const known = content.postTypes().get(object)
    return type === 'post_type_archive' ? 'Post Type Archive' : (known?.singularLabel ?? object)
  }

  /** Link to the target object of a menu item. */
  function objectLink({ type, object, objectId }: ResolvedMenuItem) {
    if (objectId === 0 || type === 'custom') return {}
    const kinds = type === 'taxonomy' ? content.taxonomies() : content.postTypes()
    const base = kinds.get(object)?.restBase
    return base
      ? { 'https://api.w.org/menu-item-object': [{ embeddable: true, href: url(`/${base}/${objectId}`) }] }
      : {}
  }

  async function prepare(items: readonly ResolvedMenuItem[], context: string): Promise<object[]> {
    const menus = await content.menus.menusOf(items.map(({ id }) => id))
    return items.map((item) => ({
      id: item.id,
      title: { ...(context === 'edit' && { raw: item.title }), rendered: escapeHtml(item.label) },
      status: item.post.status,
      url: item.type === 'custom' ? item.url : item.link,
      attr_title: item.attrTitle,
      description: item.description,
      type: item.type,
      type_label: typeLabel(item),
      object: item.object,
      object_id: item.objectId,
      parent: item.parentId,
      menu_order: item.order,
      target: item.target,
      classes: item.classes.length > 0 ? item.classes : [''],
      xfn: item.xfn.split(' '),
      invalid: !item.isValid,
      meta: [],
      menus: menus.get(item.id) ?? 0,
      _links: {
        self: link(url(`/menu-items/${item.id}`)),
        collection: link(url('/menu-items')),
        ...objectLink(item),
      },
    }))
  }

  async function prepareOne(item: ResolvedMenuItem, context: string): Promise<object | undefined> {
    return (await prepare([item], context))[0]
  }

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'GET',
    path: '/menu-items',
    summary: 'Lists menu items.',
    input: listSchema,
    response: z.array(menuItemShape),
    async handler(request) {
      const { context, page, per_page: perPage, ...asked } = request.input
      const found = await content.menus.items({
        ...(asked.menus.length > 0 && { menus: asked.menus }),
        ...(asked.include.length > 0 && { ids: asked.include }),
      })
      const words = asked.search?.toLowerCase()
      const matching = found.filter(
        (item) => !asked.exclude.includes(item.id) && (words === undefined || item.label.toLowerCase().includes(words)),
      )
      if (asked.order === 'desc') matching.reverse()
      const { limit, offset } = startOf({ page, per_page: perPage, offset: asked.offset })
      const items = await prepare(matching.slice(offset, offset + limit), context)
      return listResponse(request, { url: url('/menu-items'), items, total: matching.length, page, perPage })
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'GET',
    path: '/menu-items/{id:\\d+}',
    summary: 'Returns a menu item.',
    input: itemSchema,
    response: menuItemShape,
    handler: async (request) => prepareOne(await find(request), request.input.context),
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'POST',
    path: '/menu-items',
    summary: 'Creates a menu item.',
    input: createSchema,
    response: menuItemShape,
    async handler({ input }) {
      const { menus, ...asked } = input
      const item = await content.menus.addItem(menus, toItem(asked))
      const headers = { Location: url(`/menu-items/${item.id}`) }
      return new RestResponse(await prepareOne(item, 'edit'), { status: 201, headers })
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: ['POST', 'PUT', 'PATCH'],
    path: '/menu-items/{id:\\d+}',
    summary: 'Updates a menu item.',
    input: updateSchema,
    response: menuItemShape,
    async handler(request) {
      const { id: itemId } = await find(request)
      const { id: _, menus: menuId, ...asked } = request.input
      return prepareOne(await content.menus.updateItem(itemId, { ...toItem(asked), menuId }), 'edit')
    },
  })

  rest.registerRoute(NAMESPACE, {
    ...common,
    method: 'DELETE',
    path: '/menu-items/{id:\\d+}',
    summary: 'Deletes a menu item; its children move up one level.',
    input: deleteSchema,
    response: deletedShape(menuItemShape),
    async handler(request) {
      const item = await find(request)
      if (!request.input.force) {
        const message = "Menu items do not support trashing. Set 'force=true' to delete."
        throw new RestError('rest_trash_not_supported', message, { status: 501 })
      }
      const previous = await prepareOne(item, 'edit')
      await content.menus.deleteItem(item.id)
      return { deleted: true, previous }
    },
  })
}

function toItem(asked: Omit<Asked, 'menus'>): NewMenuItem {
  const { title } = asked
  return {
    title: typeof title === 'object' ? title.raw : title,
    description: asked.description,
    attrTitle: asked.attr_title,
    order: asked.menu_order,
    parentId: asked.parent,
    type: asked.type,
    object: asked.object,
    objectId: asked.object_id,
    url: asked.url,
    target: asked.target,
    classes: asked.classes,
    xfn: asked.xfn?.join(' '),
  }
}
