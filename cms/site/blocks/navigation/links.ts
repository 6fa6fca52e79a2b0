import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes, ParsedBlock } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { cleanPostHtml } from '../../../content/sanitize-post.ts'
import type { Block, Post } from '../../../content/types.ts'
import { plainText } from '../../../text/plain-text.ts'
import { currentPage } from '../../current-page.ts'
import { type BlockParts, type BlockRenderers, classNames, reader, safeUrl, tagPage } from '../parts.ts'
import { isHomePage } from '../site.ts'
import { navigationColors, submenuColors, submenuIcon } from './colors.ts'

/** `core/navigation-link`, `core/navigation-submenu` and `core/home-link`. */
export function navigationLinks({ content, storedPost, origin }: BlockParts): {
  readonly links: BlockRenderers
  /** Loads the posts that items link to, all at once. */
  findTargets(blocks: readonly ParsedBlock[]): Promise<void>
} {
  const targets = new WeakMap<ParsedBlock, Post | undefined>()

  async function findTargets(blocks: readonly ParsedBlock[]): Promise<void> {
    const entries = withInner(blocks).map((block) => [block, postIdOf(block.attrs)] as const)
    const posts = await content.posts.getMany([...new Set(entries.map(([, id]) => id).filter((id) => id > 0))])
    for (const [block, id] of entries) if (id > 0) targets.set(block, posts.get(id))
  }

  /** Whether the item links to a post that the reader cannot see. */
  async function isHidden({ attributes, parsedBlock }: Block): Promise<boolean> {
    const id = postIdOf(attributes)
    if (id === 0) return false
    const post = targets.has(parsedBlock) ? targets.get(parsedBlock) : await storedPost(id)
    tagPage(`post-${id}`)
    return post?.status !== 'publish' || !(await content.canRead(post, reader()))
  }

  function isActive(attributes: BlockAttributes): boolean {
    const page = currentPage()
    const shown = page?.post?.id ?? page?.term?.id ?? 0
    return shown > 0 && numberAttribute(attributes, 'id') === shown && isOfKind(attributes, page?.post !== undefined)
  }

  const links: BlockRenderers = {
    async 'core/navigation-link'(attributes, _content, block) {
      const label = textAttribute(attributes, 'label')
      if (label === '' || (await isHidden(block))) return ''
      const below = await entriesOf(block)
      const description = textAttribute(attributes, 'description')
      const text = `<span class="wp-block-navigation-item__label">${cleanPostHtml(label)}</span>`
      const more =
        description === ''
          ? ''
          : `<span class="wp-block-navigation-item__description">${cleanPostHtml(description)}</span>`
      const active = isActive(attributes)
      const wrapper = itemAttributes(block, { active, hasChild: below !== '' })
      const icon =
        below !== '' && isSet(block.context, 'showSubmenuIcon')
          ? `<span class="wp-block-navigation__submenu-icon">${submenuIcon}</span>`
          : ''
      return `<li ${wrapper}><a class="wp-block-navigation-item__content"${linkAttributes(attributes, active)}>${text}${more}</a>${icon}${listOf(below)}</li>`
    },

    async 'core/navigation-submenu'(attributes, _content, block) {
      const label = textAttribute(attributes, 'label')
      if (label === '' || (await isHidden(block))) return ''
      const below = await entriesOf(block)
      const hasIcon = isSet(block.context, 'showSubmenuIcon')
      const onClick = isSet(block.context, 'openSubmenusOnClick')
      const active = isActive(attributes)
      const opening = onClick ? 'open-on-click' : hasIcon && 'open-on-hover-click'
      const wrapper = itemAttributes(block, { active, hasChild: below !== '', opening })
      const text = cleanPostHtml(label)
      const named = `aria-label="${escapeHtml(`${plainText(label)} submenu`)}"`
      const toggle = onClick
        ? `<button ${named} class="wp-block-navigation-item__content wp-block-navigation-submenu__toggle" aria-expanded="false"><span class="wp-block-navigation-item__label">${text}</span></button><span class="wp-block-navigation__submenu-icon">${submenuIcon}</span>`
        : `<a class="wp-block-navigation-item__content"${linkAttributes(attributes, active)}>${text}</a>${hasIcon ? `<button ${named} class="wp-block-navigation__submenu-icon wp-block-navigation-submenu__toggle" aria-expanded="false">${submenuIcon}</button>` : ''}`
      return `<li ${wrapper}>${toggle}${listOf(below)}</li>`
    },

    'core/home-link'(attributes, _content, block) {
      const label = textAttribute(attributes, 'label')
      if (label === '') return ''
      const colors = navigationColors(block.context)
      const wrapper = wrapperAttributes(block, {
        class: classNames(...colors.classes, 'wp-block-navigation-item'),
        style: colors.style,
      })
      const current = isHomePage() ? ' aria-current="page"' : ''
      return `<li ${wrapper}><a class="wp-block-home-link__content wp-block-navigation-item__content" href="${origin}" rel="home"${current}>${cleanPostHtml(label)}</a></li>`
    },
  }
  return { links, findTargets }
}

/** ID of the post that an item links to; 0 for other links. */
function postIdOf(attributes: BlockAttributes): number {
  const isPost =
    textAttribute(attributes, 'kind') === 'post-type' || ['post', 'page'].includes(textAttribute(attributes, 'type'))
  return isPost ? numberAttribute(attributes, 'id') : 0
}

/** Blocks with their inner blocks. */
function withInner(blocks: readonly ParsedBlock[]): ParsedBlock[] {
  return blocks.flatMap((block) => [block, ...withInner(block.innerBlocks)])
}

/** Keys, because a post and a term can have the same ID. */
function isOfKind(attributes: BlockAttributes, isPost: boolean): boolean {
  return isPost === (textAttribute(attributes, 'kind') !== 'taxonomy')
}

async function entriesOf(block: Block): Promise<string> {
  return (await block.renderBlocks(block.parsedBlock.innerBlocks)).join('')
}

const listOf = (below: string) =>
  below === '' ? '' : `<ul class="wp-block-navigation__submenu-container">${below}</ul>`

function itemAttributes(
  block: Block,
  { active, hasChild, opening }: { active: boolean; hasChild: boolean; opening?: string | false },
): string {
  const { attributes, context } = block
  const own = attributes.isTopLevelLink ?? attributes.isTopLevelItem
  const isBelow = own !== undefined && !isSet({ own }, 'own')
  const colors = isBelow ? submenuColors(context) : navigationColors(context)
  return wrapperAttributes(block, {
    class: classNames(
      ...colors.classes,
      'wp-block-navigation-item',
      hasChild && 'has-child',
      opening,
      active && 'current-menu-item',
    ),
    style: colors.style,
  })
}

function linkAttributes(attributes: BlockAttributes, active: boolean): string {
  const url = safeUrl(textAttribute(attributes, 'url'))
  const rel = textAttribute(attributes, 'rel') || (isSet(attributes, 'nofollow') ? 'nofollow' : '')
  const title = textAttribute(attributes, 'title')
  return [
    url === '' ? '' : ` href="${url}"`,
    active ? ' aria-current="page"' : '',
    isSet(attributes, 'opensInNewTab') ? ' target="_blank"' : '',
    rel === '' ? '' : ` rel="${escapeHtml(rel)}"`,
    title === '' ? '' : ` title="${escapeHtml(title)}"`,
  ].join('')
}
