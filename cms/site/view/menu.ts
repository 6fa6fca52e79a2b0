import type { Content, MenuEntry, Post } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { withoutOrigin } from '../text.ts'
import type { PageContext } from '../types.ts'
import type { PageDataCache } from './page-data-cache.ts'

/** An entry of the menu, or a page below the one that is shown. */
export interface TemplateLink {
  readonly title: string
  readonly url: string
  readonly current: boolean
  /** Entries below it. */
  readonly children: readonly TemplateLink[]
  /** `_blank` for a window of its own. */
  readonly target: string
  readonly rel: string
  /** Classes that an editor gave it, with blanks between. */
  readonly classes: string
  readonly description: string
  /** For the attribute `title`. */
  readonly hint: string
}

/** More entries would be no menu. */
const MOST = 20
/** Where the site's navigation stands. */
const PRIMARY = 'primary'
const PLAIN = { children: [], target: '', rel: '', classes: '', description: '', hint: '' } as const

/**
 * What menus hold: those that an editor made, by the theme's places, and published pages below a parent (0: the top
 * level) by their order and title. Titles of pages pass `the_title` each time. The page gets the tag `menu-<parent>`,
 * and for each entry of a menu `menu-post-<id>` or `menu-term-<id>`.
 */
export function createMenu(content: Content, pageData: PageDataCache, siteUrl: string) {
  const below = pageData.remember(async (parent): Promise<Post[]> => {
    const { items } = await content.posts.query({
      types: ['page'],
      parents: [Number(parent)],
      orderBy: 'menu_order',
      order: 'asc',
      limit: MOST,
    })
    return items.sort((a, b) => a.menuOrder - b.menuOrder || a.title.localeCompare(b.title))
  })
  const placed = pageData.remember((place) => content.menus.at(place))

  async function pages(parentId: number, page: PageContext): Promise<TemplateLink[]> {
    const { showOnFront, pageOnFront } = content.siteSettings()
    page.addTags(`menu-${parentId}`)
    const entries = await content.readable(await below(String(parentId)), page.user)
    return entries
      .filter((entry) => showOnFront !== 'page' || entry.id !== pageOnFront)
      .map((entry) => ({
        ...PLAIN,
        title: plainText(content.renderTitle(entry)),
        url: withoutOrigin(content.link(entry), siteUrl),
        // The menu stays lit on the pages below an entry.
        current: page.post?.id === entry.id || (page.kind === 'page' && page.path.startsWith(entry.path || page.url)),
      }))
  }

  function toLink({ item, children }: MenuEntry, page: PageContext): TemplateLink {
    if (item.objectId > 0 && item.type === 'post_type') page.addTags(`menu-post-${item.objectId}`)
    if (item.objectId > 0 && item.type === 'taxonomy') page.addTags(`menu-term-${item.objectId}`)
    const url = withoutOrigin(item.link, siteUrl)
    const links = children.map((child) => toLink(child, page))
    return {
      title: item.label,
      url,
      current: url === page.path || links.some(({ current }) => current),
      children: links,
      target: item.target,
      rel: [item.xfn, item.target === '_blank' ? 'noopener' : ''].filter((part) => part !== '').join(' '),
      classes: item.classes.join(' '),
      description: item.description,
      hint: item.attrTitle,
    }
  }

  /** The menus at the theme's places, by their names. */
  async function menus(page: PageContext): Promise<Record<string, readonly TemplateLink[]>> {
    const places = Object.keys(content.menus.placed())
    const found = await Promise.all(places.map(async (place) => [place, await placed(place)] as const))
    const shown: Record<string, readonly TemplateLink[]> = {}
    for (const [place, entries] of found) {
      if (!entries) continue
      const readable = await content.menus.readable(entries, page.user)
      shown[place] = readable.map((entry) => toLink(entry, page))
    }
    return shown
  }

  return {
    pages,
    /** All menus; the site's navigation is its top pages where nobody made a menu for it. */
    async all(
      page: PageContext,
    ): Promise<{ menu: readonly TemplateLink[]; menus: Record<string, readonly TemplateLink[]> }> {
      const made = await menus(page)
      return { menu: made[PRIMARY] ?? (await pages(0, page)), menus: made }
    },
  }
}

export type FindMenu = ReturnType<typeof createMenu>
