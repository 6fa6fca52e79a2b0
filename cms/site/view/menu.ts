import type { Content, MenuEntry, Post } from '../../content/types.ts'
import { withoutOrigin } from '../text.ts'
import type { PageContext } from '../types.ts'
import type { PageDataCache } from './page-data-cache.ts'
import type { PostNames } from './post-names.ts'

/** A menu item, or a child page. */
export interface TemplateLink {
  readonly title: string
  readonly url: string
  readonly current: boolean
  /** Child items. */
  readonly children: readonly TemplateLink[]
  /** `_blank` to open in a new tab. */
  readonly target: string
  readonly rel: string
  /** Custom CSS classes, separated by spaces. */
  readonly classes: string
  readonly description: string
  /** Value of the `title` attribute. */
  readonly hint: string
}

/** Maximum number of items. */
const MOST = 20
/** The location of the primary menu. */
const PRIMARY = 'primary'
const PLAIN = { children: [], target: '', rel: '', classes: '', description: '', hint: '' } as const

/**
 * Menus by location, and published child pages of a page (0: the top level) by order and title. Adds the cache tag `menu-<parent>` to the page, and `menu-post-<id>` or `menu-term-<id>` for
 * each item.
 */
export function createMenu(parts: { content: Content; pageData: PageDataCache; names: PostNames; siteUrl: string }) {
  const { content, pageData, names, siteUrl } = parts
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
  // Filters decide on the labels of items.
  const placed = pageData.remember((place) => content.menus.at(place), { lifetime: 1000 })

  async function pages(parentId: number, page: PageContext): Promise<TemplateLink[]> {
    const { showOnFront, pageOnFront } = content.siteSettings()
    page.addTags(`menu-${parentId}`)
    const entries = await content.readable(await below(String(parentId)), page.user)
    const shown = entries.filter((entry) => showOnFront !== 'page' || entry.id !== pageOnFront)
    const { post, kind, path, url: own } = page
    const named = names(shown)
    return shown.map((entry, at) => ({
      ...PLAIN,
      title: named[at]?.title ?? '',
      url: named[at]?.url ?? '',
      // An item is also current on its descendants.
      current: post?.id === entry.id || (kind === 'page' && path.startsWith(entry.path || own)),
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

  /** The menus by location. */
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
    /** All menus; without a primary menu, top-level pages are used. */
    async all(
      page: PageContext,
    ): Promise<{ menu: readonly TemplateLink[]; menus: Record<string, readonly TemplateLink[]> }> {
      const made = await menus(page)
      return { menu: made[PRIMARY] ?? (await pages(0, page)), menus: made }
    },
  }
}

export type FindMenu = ReturnType<typeof createMenu>
