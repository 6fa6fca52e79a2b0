import type { ExtensionHost, MenuEntry } from 'pentad'
import { idAddress } from './addresses.ts'

/** Entries of the menu, and of the list of pages below one: the theme shows no more. */
export const MOST_IN_MENU = 20

/** Addresses that every page of the site links to: home, the page of posts, and the menus. */
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
