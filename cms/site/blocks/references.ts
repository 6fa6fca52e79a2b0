import { numberAttribute, textAttribute } from '../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../content/blocks/supports.ts'
import type { Block } from '../../content/types.ts'
import { halted, nested } from './nesting.ts'
import { type BlockParts, type BlockRenderers, isClosed, tagPage } from './parts.ts'

const CIRCLE = 'the post or pattern contains itself, or is nested too deeply.'

/**
 * Blocks that show content stored elsewhere: `core/block`, `core/pattern`, `core/template-part`, `core/post-content`.
 */
export function references(parts: BlockParts): BlockRenderers {
  const { content, hooks, storedPost } = parts

  const show = async (key: string, block: Block, work: () => Promise<string>): Promise<string> =>
    (await nested(key, work)) ?? halted(parts, block.post, CIRCLE)

  return {
    async 'core/block'(attributes, _content, block) {
      const pattern = await storedPost(numberAttribute(attributes, 'ref'))
      if (pattern?.type !== 'wp_block') return ''
      tagPage(`post-${pattern.id}`)
      if (pattern.status !== 'publish' || pattern.password !== '') return ''
      return show(`block-${pattern.id}`, block, async () => {
        const text = await hooks.applyFiltersAsync('synced_pattern_content', pattern.content, block.post)
        return content.renderBlocks(text, block.post)
      })
    },

    async 'core/pattern'(attributes, _content, block) {
      const slug = textAttribute(attributes, 'slug')
      const patterns = hooks.applyFilters('block_patterns', {})
      const pattern = Object.hasOwn(patterns, slug) ? patterns[slug] : undefined
      return pattern ? show(`pattern-${slug}`, block, () => content.renderBlocks(pattern.content, block.post)) : ''
    },

    // Themes have no block templates here: imported template parts are not shown.
    'core/template-part': () => '',

    async 'core/post-content'(_attributes, _content, block) {
      const { post } = block
      if (isClosed(post)) return ''
      tagPage(`post-${post.id}`)
      const html = await show(`content-${post.id}`, block, () => content.renderContent(post))
      return html === '' || html.startsWith('<!--')
        ? html
        : `<div ${wrapperAttributes(block, { class: 'entry-content' })}>${html}</div>`
    },
  }
}
