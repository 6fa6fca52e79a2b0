import type { Content, Post } from '../../content/types.ts'
import { plainText } from '../../plain-text.ts'
import type { PageContext } from '../types.ts'
import type { Memory } from './memory.ts'

/** An entry of the menu, or a page below the one that is shown. */
export interface TemplateLink {
  readonly title: string
  readonly url: string
  readonly current: boolean
}

/** More entries would be no menu. */
const MOST = 20

/**
 * Published pages below a parent (0: the top level), by their order and title. Titles pass `the_title` each time. The
 * page gets the tag `menu-<parent>`.
 */
export function createMenu(content: Content, memory: Memory) {
  const below = memory.remember(async (parent): Promise<Post[]> => {
    const { items } = await content.posts.query({
      types: ['page'],
      parents: [Number(parent)],
      orderBy: 'menu_order',
      order: 'asc',
      limit: MOST,
    })
    return items.sort((a, b) => a.menuOrder - b.menuOrder || a.title.localeCompare(b.title))
  })

  return async (parentId: number, page: PageContext): Promise<TemplateLink[]> => {
    const { showOnFront, pageOnFront } = content.siteSettings()
    page.addTags(`menu-${parentId}`)
    const entries = await below(String(parentId))
    return entries
      .filter((entry) => showOnFront !== 'page' || entry.id !== pageOnFront)
      .map((entry) => ({
        title: plainText(content.renderTitle(entry)),
        url: entry.path || content.link(entry),
        // The menu stays lit on the pages below an entry.
        current: page.post?.id === entry.id || (page.kind === 'page' && page.path.startsWith(entry.path || page.url)),
      }))
  }
}

export type FindMenu = ReturnType<typeof createMenu>
