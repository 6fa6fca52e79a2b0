import type { ExtensionHost } from 'pentad'
import { idAddress } from './addresses.ts'

/** Entries of the menu, and of the list of pages below one: the theme shows no more. */
export const MOST_IN_MENU = 20

/** Addresses that every page of the site links to: home, the page of posts, and the menu. */
export async function navigationAddresses({ content }: Pick<ExtensionHost, 'content'>): Promise<Set<string>> {
  const { showOnFront, pageOnFront, pageForPosts } = content.siteSettings()
  const home = showOnFront === 'page' ? [pageOnFront, pageForPosts].filter((id) => id > 0) : []
  const { items } = await content.posts.query({
    ...{ types: ['page'], parents: [0], orderBy: 'menu_order', order: 'asc', limit: MOST_IN_MENU },
  })
  return new Set(['/', ...home.map(idAddress), ...items.map(({ id }) => idAddress(id))])
}
