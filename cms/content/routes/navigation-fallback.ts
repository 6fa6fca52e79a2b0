import { z } from 'zod'
import { accessDenied } from './errors.ts'
import { embeddable } from './links.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'

const MENU = 'wp_navigation'

/**
 * `wp-block-editor/v1/navigation-fallback`: the menu that the editor puts into a new navigation block, as
 * `WP_Navigation_Fallback` chooses it: the latest one, else a new one with all pages.
 */
export function registerNavigationFallbackRoute({ rest, content }: RouteParts): void {
  const { posts } = content

  async function latest(): Promise<number | undefined> {
    const { items } = await posts.query({ types: [MENU], limit: 1, noFoundRows: true })
    return items[0]?.id
  }

  rest.registerRoute('wp-block-editor/v1', {
    method: 'GET',
    path: '/navigation-fallback',
    summary: 'Returns the latest navigation menu, or creates one with all pages.',
    async access(request) {
      if (await request.can('edit_theme_options')) return true
      const message = 'Sorry, you are not allowed to create Navigation Menus as this user.'
      throw accessDenied(request.user, 'rest_cannot_create', message)
    },
    input: z.object({ context: contextSchema }),
    response: z.object({ id: z.int() }),
    async handler({ user }) {
      const id =
        (await latest()) ??
        (
          await posts.insert({
            ...{ type: MENU, status: 'publish', title: 'Navigation', slug: 'navigation' },
            ...{ content: '<!-- wp:page-list /-->', authorId: user?.id ?? 0 },
          })
        ).id
      return { id, _links: { self: embeddable(rest.url(`/${NAMESPACE}/navigation/${id}`)) } }
    },
  })
}
