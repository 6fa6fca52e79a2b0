import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, partOf, textAttribute } from '../../../content/blocks/attributes.ts'
import { type BlockAttributes, type ParsedBlock, parseBlocks } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Block, MenuEntry, Post } from '../../../content/types.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import { halted, nested } from '../nesting.ts'
import { type BlockParts, type BlockRenderers, classNames, pageScript, reader, tagPage, uniqueId } from '../parts.ts'
import { navigationColors } from './colors.ts'
import { navigationLinks } from './links.ts'

/** Blocks that are list items; other blocks are placed next to the lists. */
const LISTED: ReadonlySet<string | null> = new Set([
  ...['core/navigation-link', 'core/home-link', 'core/site-title', 'core/site-logo', 'core/navigation-submenu'],
])
const JUSTIFY = ['left', 'right', 'center', 'space-between']
const emptyBlock = { attrs: {}, innerBlocks: [], innerHTML: '', innerContent: [] }

/** Opens and closes the mobile menu and submenus. */
const SCRIPT = (id: string) =>
  `(function(n){var b=n&&n.querySelector('.wp-block-navigation__responsive-container-open'),m=n&&n.querySelector('.wp-block-navigation__responsive-container'),o=function(v){if(!m)return;m.classList.toggle('is-menu-open',v);m.classList.toggle('has-modal-open',v);b.setAttribute('aria-expanded',v);(v?m.querySelector('.wp-block-navigation__responsive-container-close'):b).focus()};if(!n)return;n.addEventListener('click',function(e){var t=e.target.closest('button');if(!t)return;if(t===b)o(true);else if(t.matches('.wp-block-navigation__responsive-container-close'))o(false);else if(t.matches('.wp-block-navigation-submenu__toggle'))t.setAttribute('aria-expanded',t.getAttribute('aria-expanded')!=='true')});n.addEventListener('keydown',function(e){if(e.key==='Escape'&&m&&m.classList.contains('is-menu-open'))o(false)})})(document.getElementById('${id}').closest('nav'))`

/** An item of a classic menu as a block. */
function menuBlock({ item, children }: MenuEntry): ParsedBlock {
  const kind = { post_type: 'post-type', taxonomy: 'taxonomy', post_type_archive: 'custom', custom: 'custom' }[
    item.type
  ]
  return {
    ...emptyBlock,
    blockName: children.length > 0 ? 'core/navigation-submenu' : 'core/navigation-link',
    attrs: {
      ...{ label: escapeHtml(item.label), url: item.link, kind, id: item.objectId, rel: item.xfn },
      ...{ title: item.attrTitle, className: item.classes.join(' '), opensInNewTab: item.target === '_blank' },
    },
    innerBlocks: children.map(menuBlock),
  }
}

/** `core/navigation` with links, submenus and home link. */
export function navigationBlocks(parts: BlockParts): BlockRenderers {
  const { links, findTargets } = navigationLinks(parts)
  const { content, pageData, storedPost } = parts
  const placed = pageData.remember((location) => content.menus.at(location), { lifetime: 1000 })

  /** The menu at a location of the theme; a change of such a menu purges all pages. */
  async function menuAt(location: string): Promise<readonly ParsedBlock[]> {
    const entries = location === '' ? undefined : await placed(location)
    return entries ? (await content.menus.readable(entries, reader())).map(menuBlock) : []
  }

  async function stored(attributes: BlockAttributes): Promise<Post | undefined> {
    const id = numberAttribute(attributes, 'ref') || numberAttribute(attributes, 'navigationMenuId')
    const post = await storedPost(id)
    if (post) tagPage(`post-${post.id}`)
    return post?.type === 'wp_navigation' && post.status === 'publish' ? post : undefined
  }

  /** Fallback if no menu is selected: the latest one, or all pages. */
  async function fallback(): Promise<readonly ParsedBlock[]> {
    const { items } = await content.posts.query({ types: ['wp_navigation'], limit: 1, noFoundRows: true })
    tagPage('list-wp_navigation', ...items.map(({ id }) => `post-${id}`))
    const blocks = parseBlocks(items[0]?.content ?? '').filter(({ blockName }) => blockName !== null)
    return blocks.length > 0 ? blocks : [{ blockName: 'core/page-list', ...emptyBlock }]
  }

  async function entries(block: Block, blocks: readonly ParsedBlock[]): Promise<string> {
    await findTargets(blocks)
    const rendered = await block.renderBlocks(blocks)
    let html = ''
    let isOpen = false
    for (const [at, { blockName }] of blocks.entries()) {
      const isListed = LISTED.has(blockName)
      if (isListed !== isOpen) html += isListed ? '<ul class="wp-block-navigation__container">' : '</ul>'
      isOpen = isListed
      const own = rendered[at] ?? ''
      const isSite = blockName === 'core/site-title' || (blockName === 'core/site-logo' && own !== '')
      html += isSite ? `<li class="wp-block-navigation-item">${own}</li>` : own
    }
    return isOpen ? `${html}</ul>` : html
  }

  return {
    ...links,

    async 'core/navigation'(attributes, _content, block) {
      const given = numberAttribute(attributes, 'ref') > 0 || numberAttribute(attributes, 'navigationMenuId') > 0
      const post = await stored(attributes)
      if (given && !post) return ''
      const own = post ? parseBlocks(post.content) : block.parsedBlock.innerBlocks
      const inner = own.filter(({ blockName }) => blockName !== null)
      const chosen = inner.length > 0 ? inner : await menuAt(textAttribute(attributes, '__unstableLocation'))
      const blocks = chosen.length > 0 ? chosen : await fallback()
      const list = await nested(`navigation-${post?.id ?? 'own'}`, () => entries(block, blocks))
      if (list === undefined) return halted(parts, block.post, 'the navigation contains itself.')

      const colors = navigationColors(attributes)
      const overlay = textAttribute(attributes, 'overlayMenu')
      const isResponsive = (overlay !== '' && overlay !== 'never') || isSet(attributes, 'isResponsive')
      const justify = textAttribute({ value: partOf(attributes, 'layout', 'justifyContent') ?? '' }, 'value')
      const decoration = textAttribute(
        { value: partOf(attributes, 'style', 'typography', 'textDecoration') ?? '' },
        'value',
      )
      const names = classNames(
        ...colors.classes,
        isResponsive && 'is-responsive',
        JUSTIFY.includes(justify) && `items-justified-${justify}`,
        partOf(attributes, 'layout', 'orientation') === 'vertical' && 'is-vertical',
        partOf(attributes, 'layout', 'flexWrap') === 'nowrap' && 'no-wrap',
        chosen.length === 0 && 'is-fallback',
        /^[\w-]+$/.test(decoration) && `has-text-decoration-${decoration}`,
      )
      const wrapper = wrapperAttributes(block, { class: names, style: colors.style, 'aria-label': post?.title })
      const html = isResponsive ? dialog(list, attributes, { overlay, colors, texts: await parts.texts() }) : list
      return `<nav ${wrapper}>${html}</nav>`
    },
  }
}

/** The menu as a dialog with an open button, on small screens or always. */
function dialog(
  list: string,
  attributes: BlockAttributes,
  {
    overlay,
    colors,
    texts: { __ },
  }: { overlay: string; colors: ReturnType<typeof navigationColors>; texts: ThemeTexts },
): string {
  const id = uniqueId('modal-')
  const isAlways = overlay === 'always'
  const hasIcon = isSet(attributes, 'hasIcon')
  const lines = textAttribute(attributes, 'icon') === 'menu' ? 'M4 6h16M4 12h16M4 18h16' : 'M4 9h16M4 15h16'
  const drawn = (path: string) =>
    `<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}" stroke="currentColor" stroke-width="1.5"></path></svg>`
  const named = (label: string) => (hasIcon ? ` aria-label="${escapeHtml(label)}"` : '')
  const open = `<button aria-haspopup="true"${named(__('Open menu'))} class="${classNames('wp-block-navigation__responsive-container-open', isAlways && 'always-shown')}" data-micromodal-trigger="${id}">${hasIcon ? drawn(lines) : escapeHtml(__('Menu'))}</button>`
  const close = `<button${named(__('Close menu'))} data-micromodal-close class="wp-block-navigation__responsive-container-close">${hasIcon ? drawn('M6 6l12 12M18 6L6 18') : escapeHtml(__('Close'))}</button>`
  const names = classNames(
    'wp-block-navigation__responsive-container',
    isAlways && 'hidden-by-default',
    ...colors.overlayClasses,
  )
  return `${open}<div class="${names}" style="${escapeHtml(colors.overlayStyle)}" id="${id}"><div class="wp-block-navigation__responsive-close" tabindex="-1" data-micromodal-close><div class="wp-block-navigation__responsive-dialog" aria-label="${escapeHtml(__('Menu'))}">${close}<div class="wp-block-navigation__responsive-container-content" id="${id}-content">${list}</div></div></div></div>${pageScript(SCRIPT(id))}`
}
