import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Post } from '../../../content/types.ts'
import { plainText } from '../../../text/plain-text.ts'
import { navigationColors, submenuIcon } from '../navigation/colors.ts'
import { type BlockParts, type BlockRenderers, classNames, linkTo, reader, tagPage } from '../parts.ts'

/** Maximum number of pages. */
const MOST = 500
const DEPTH = 20

/** `core/page-list`: all pages, also as menu items of a navigation. */
export function pageList({ content }: BlockParts): BlockRenderers {
  async function find(): Promise<readonly Post[]> {
    const { items } = await content.posts.query({
      ...{ types: ['page'], orderBy: 'menu_order', order: 'asc', limit: MOST, noFoundRows: true, readableBy: reader() },
    })
    tagPage('list-page', ...items.slice(0, 100).map(({ id }) => `post-${id}`))
    return items.toSorted((a, b) => a.menuOrder - b.menuOrder || a.title.localeCompare(b.title))
  }

  return {
    async 'core/page-list'(_attributes, _content, block) {
      const pages = await find()
      if (pages.length === 0) return ''
      const byId = new Map(pages.map((page) => [page.id, page]))
      const below = Map.groupBy(pages, ({ parentId }) => parentId)
      const ancestors = new Set<number>()
      for (let at = byId.get(block.post.id); at && !ancestors.has(at.parentId); at = byId.get(at.parentId))
        ancestors.add(at.parentId)
      const { pageOnFront, showOnFront } = content.siteSettings()
      const colors = navigationColors(block.context)
      const isChild = Object.hasOwn(block.context, 'showSubmenuIcon')
      const onClick = isSet(block.context, 'openSubmenusOnClick')
      const hasIcons = isSet(block.context, 'showSubmenuIcon')

      const list = (parentId: number, depth: number): string =>
        (depth > DEPTH ? [] : (below.get(parentId) ?? [])).map((page) => item(page, depth)).join('')

      function item(page: Post, depth: number): string {
        const children = list(page.id, depth + 1)
        const isActive = page.id === block.post.id
        const names = classNames(
          'wp-block-pages-list__item',
          isActive && 'current-menu-item',
          ancestors.has(page.id) && 'current-menu-ancestor',
          children !== '' && 'has-child',
          isChild && 'wp-block-navigation-item',
          isChild && (onClick ? 'open-on-click' : hasIcons && 'open-on-hover-click'),
          depth === 1 && classNames(...colors.overlayClasses),
          showOnFront === 'page' && page.id === pageOnFront && 'menu-item-home',
        )
        const style = depth === 1 && colors.overlayStyle !== '' ? ` style="${escapeHtml(colors.overlayStyle)}"` : ''
        const title = page.title
        const label = escapeHtml(`${plainText(title)} submenu`)
        const html = `<li class="${names}"${style}>${entry(page, { children, isActive, label })}`
        return `${html}${children && `${toggle(label)}<ul class="${classNames('submenu-container', isChild && 'wp-block-navigation__submenu-container')}">${children}</ul>`}</li>`
      }

      const toggle = (label: string) =>
        isChild && hasIcons && !onClick
          ? `<button aria-label="${label}" class="wp-block-navigation__submenu-icon wp-block-navigation-submenu__toggle" aria-expanded="false">${submenuIcon}</button>`
          : ''

      function entry(
        page: Post,
        { children, isActive, label }: { children: string; isActive: boolean; label: string },
      ) {
        const own = isChild ? ' wp-block-navigation-item__content' : ''
        const text = content.texturize(escapeHtml(plainText(page.title)))
        if (children !== '' && isChild && onClick) {
          return `<button aria-label="${label}" class="${own} wp-block-navigation-submenu__toggle" aria-expanded="false">${text}</button><span class="wp-block-page-list__submenu-icon wp-block-navigation__submenu-icon">${submenuIcon}</span>`
        }
        const current = isActive ? ' aria-current="page"' : ''
        return `<a class="wp-block-pages-list__item__link${own}" href="${linkTo(content, page)}"${current}>${text}</a>`
      }

      const wrapper = wrapperAttributes(block, { class: classNames(...colors.classes), style: colors.style })
      // As in WordPress, a page whose parent is not listed is omitted.
      return `<ul ${wrapper}>${list(0, 0)}</ul>`
    },
  }
}
