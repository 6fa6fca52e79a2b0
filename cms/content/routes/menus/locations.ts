import { z } from 'zod'
import { notFound } from '../errors.ts'
import { link } from '../links.ts'
import { contextSchema } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { mayEditMenus } from './access.ts'

const locationShape = z.looseObject({ name: z.string(), description: z.string(), menu: z.int() })

/** `wp/v2/menu-locations`: the theme's places for menus, and which menu is at each; 0 for none. */
export function registerMenuLocationRoutes({ rest, content }: RouteParts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)

  async function all(): Promise<Map<string, z.infer<typeof locationShape>>> {
    const placed = content.menus.placed()
    return new Map(
      Object.entries(await content.menus.places()).map(([name, description]) => {
        const menu = placed[name] ?? 0
        const links = {
          self: link(url(`/menu-locations/${name}`)),
          collection: link(url('/menu-locations')),
          ...(menu > 0 && { 'https://api.w.org/menu': [{ embeddable: true, href: url(`/menus/${menu}`) }] }),
        }
        return [name, { name, description, menu, _links: links }]
      }),
    )
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/menu-locations',
    access: mayEditMenus,
    summary: "Lists the theme's menu locations.",
    input: z.object({ context: contextSchema }),
    response: z.record(z.string(), locationShape),
    handler: async () => Object.fromEntries(await all()),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/menu-locations/{location:[\\w-]+}',
    access: mayEditMenus,
    summary: 'Returns a menu location.',
    input: z.object({ location: z.string(), context: contextSchema }),
    response: locationShape,
    async handler({ input }) {
      const place = (await all()).get(input.location)
      if (place) return place
      throw notFound('rest_menu_location_invalid', 'Invalid menu location.')
    },
  })
}
