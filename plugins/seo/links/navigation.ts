import type { ExtensionHost, MenuEntry } from 'pentad'
import { idAddress } from './addresses.ts'

/** Maximum number of menu entries and child pages that the theme shows. */
export const MOST_IN_MENU = 20

/** URLs that every page links to: the home page, the posts page and the menus. */
export async function navigationAddresses({ content }: Pick<ExtensionHost, 'content'>): Promise<Set<string>> {
  const { showOnFront, pageOnFront, pageForPosts } = content.siteSettings()
  const home = showOnFront === 'page' ? [pageOnFront, pageForPosts].filter((id) => id > 0) : []
  const made = await Promise.all(Object.keys(content.menus.placed()).map((place) => content.menus.at(place)))
  const linked = made.flatMap((entries) => postsIn(entries ?? []))
  const hasNavigation = (await content.menus.at('primary')) !== undefined
  if (hasNavigation) return new Set(['/', ...[...home, ...linked].map(idAddress)])
  const { items } = await content.posts.query({
    ...{ types: ['page'], parents: [0], orderBy: 'menu_order', order: 'asc', limit: MOST_IN_MENU },
  })
  return new Set(['/', ...[...home, ...linked, ...items.map(({ id }) => id)].map(idAddress)])
}

function postsIn(entries: readonly MenuEntry[]): number[] {
  return entries.flatMap(({ item, children }) => [
    ...(item.type === 'post_type' ? [item.objectId] : []),
    ...postsIn(children),
  ])
}
