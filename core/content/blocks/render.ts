import type { Hooks } from '../../hooks/types.ts'
import { createYield } from '../../yielding.ts'
import { remember } from '../render/remember.ts'
import type { Post } from '../types.ts'
import { prepareAttributes } from './attributes.ts'
import { BLOCK_DEPTH, type ParsedBlock, parseBlocks } from './parser.ts'
import { renderCallbackHook } from './register.ts'
import { hasBlocks, stripBlocks } from './strip.ts'
import type { Block } from './types.ts'

/** Every filter by which an extension has a say in how blocks are rendered. */
export const BLOCK_FILTERS = ['pre_render_block', 'render_block*', 'block_render_callback_*'] as const

/**
 * WordPress's `do_blocks`: the HTML of a content with its blocks rendered. As long as no extension has a say in it, that is
 * the content without the block comments, which is remembered.
 */
export function createDoBlocks(hooks: Hooks): (content: string, post: Post) => string | Promise<string> {
  const stripped = remember(stripBlocks)
  return (content, post) => {
    if (BLOCK_FILTERS.some((name) => hooks.owners(name).length > 0)) return renderBlocks(hooks, content, post)
    return hasBlocks(content) ? stripped(content) : content
  }
}

async function renderBlocks(hooks: Hooks, text: string, post: Post): Promise<string> {
  const yieldTurn = createYield()
  const types = hooks.applyFilters('block_types', {})
  let html = ''
  for (const block of parseBlocks(text)) html += await renderBlock(block, null, 0)
  return html

  /** `render_block`, then `WP_Block::render`. */
  async function renderBlock(source: ParsedBlock, parent: Block | null, depth: number): Promise<string> {
    await yieldTurn()
    if (hooks.hasFilter('pre_render_block')) {
      const early = await hooks.applyFiltersAsync('pre_render_block', null, source, parent, post)
      if (early !== null) return early
    }
    const parsedBlock = hooks.hasFilter('render_block_data')
      ? await hooks.applyFiltersAsync('render_block_data', source, source, parent, post)
      : source
    const { blockName: name, attrs } = parsedBlock
    const schemas = name !== null && Object.hasOwn(types, name) ? types[name]?.attributes : undefined
    const block: Block = { name, attributes: schemas ? prepareAttributes(attrs, schemas) : attrs, parsedBlock, post }

    let content = await renderInner(block, depth)
    if (name !== null && hooks.hasFilter(renderCallbackHook(name))) {
      const hook = renderCallbackHook(name)
      // Nothing where the callback fails: the saved HTML may be what it keeps from some visitors.
      content = (await hooks.applyFiltersAsync(hook, null, block.attributes, content, block)) ?? ''
    }
    if (hooks.hasFilter('render_block')) {
      content = await hooks.applyFiltersAsync('render_block', content, parsedBlock, block)
    }
    const hook = hookOfType(name)
    return hook && hooks.hasFilter(hook) ? hooks.applyFiltersAsync(hook, content, parsedBlock, block) : content
  }

  async function renderInner(block: Block, depth: number): Promise<string> {
    const { innerBlocks, innerContent } = block.parsedBlock
    let content = ''
    let at = 0
    for (const piece of innerContent) {
      if (piece !== null) {
        // Comments are left where blocks are nested too deeply, or the text is damaged.
        content += stripBlocks(piece)
        continue
      }
      const inner = innerBlocks[at++]
      // A callback of render_block_data may nest blocks without end.
      if (inner && depth < BLOCK_DEPTH) content += await renderBlock(inner, block, depth + 1)
    }
    return content
  }
}

/** `render_block_core/quote`; none for a name that a callback made up, such as `data`: that would be another hook. */
function hookOfType(name: string | null): `render_block_${string}/${string}` | undefined {
  const [namespace, ofIt] = name?.split('/', 2) ?? []
  return ofIt === undefined ? undefined : `render_block_${namespace}/${ofIt}`
}
