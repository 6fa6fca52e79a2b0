import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { type ContentsCheck, listOf, membersOf, orNull, recordOf } from '../../../core/hooks/value-checks.ts'
import type { Post } from '../types.ts'
import { BLOCK_DEPTH, type BlockAttributes, type ParsedBlock } from './parser.ts'
import type { Block, BlockPattern, BlockType } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Short-circuits the rendering of a block: any value except `null` is used as its HTML, and no other filter runs.
     * @param html HTML of the block; `null` before the first callback.
     * @param block The parsed block.
     * @param parent The enclosing block.
     * @param post The post that contains it.
     * @since 0.1.0
     */
    pre_render_block: [html: string | null, block: ParsedBlock, parent: Block | null, post: Post]
    /**
     * Filters a parsed block before it is rendered.
     * @param block The block; return a new one instead of modifying this one.
     * @param source The block before the first callback.
     * @param parent The enclosing block.
     * @param post The post that contains it.
     * @since 0.1.0
     */
    render_block_data: [block: ParsedBlock, source: ParsedBlock, parent: Block | null, post: Post]
    /**
     * Filters the text of a synced pattern before its blocks are rendered, at the same point as `the_content` callbacks with a priority below 9. Core
     * embeds URLs with this filter.
     * @param text The pattern, with block comments.
     * @param post The post that shows the pattern.
     * @since 0.1.0
     */
    synced_pattern_content: [text: string, post: Post]
    /**
     * Filters the HTML of every block, and the HTML between blocks (`blockName` is `null`).
     * @param html The HTML with rendered inner blocks.
     * @param block The parsed block.
     * @param instance The block with its attributes and its post.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'members-blocks',
     *   name: 'Blocks for members',
     *   version: '1.0.0',
     *   setup({ hooks, isUserLoggedIn }) {
     *     hooks.addFilter(
     *       'render_block',
     *       (html, block) => (block.attrs.membersOnly === true && !isUserLoggedIn() ? '' : html),
     *       { onError: 'closed' },
     *     )
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    render_block: [html: string, block: ParsedBlock, instance: Block]
    /**
     * Filters the HTML of the blocks of one type, after `render_block`: `render_block_core/quote`.
     * @param html The HTML.
     * @param block The parsed block.
     * @param instance The block with its attributes and its post.
     * @since 0.1.0
     */
    [name: `render_block_${string}/${string}`]: [html: string, block: ParsedBlock, instance: Block]
    /**
     * Filters the HTML of the blocks of one type. `content.registerBlockType` adds its render callback to this filter.
     * @param html `null` before the first callback; if it is still `null` at the end, the block is omitted.
     * @param attributes The block's attributes, with the defaults of its type.
     * @param content The saved HTML with rendered inner blocks.
     * @param block The block with its post.
     * @since 0.1.0
     */
    [name: `block_render_callback_${string}`]: [
      html: string | null,
      attributes: BlockAttributes,
      content: string,
      block: Block,
    ]
    /**
     * Filters the HTML of the self-closing blocks of one type, as `block_render_callback_*` does that of others. `content.registerBlockType` adds
     * the render callback of a self-closing type to this filter.
     * @param html `null` before the first callback; if it is still `null` at the end, the block is omitted.
     * @param attributes The block's attributes, with the defaults of its type.
     * @param content An empty string.
     * @param block The block with its post.
     * @since 1.0.0
     */
    [name: `self_closing_block_callback_${string}`]: [
      html: string | null,
      attributes: BlockAttributes,
      content: string,
      block: Block,
    ]
  }

  interface Filters {
    /**
     * Filters the block types, by name. `content.registerBlockType` adds one.
     * @param types Block types by name; return a new record instead of modifying this one.
     * @since 0.1.0
     */
    block_types: [types: Readonly<Record<string, BlockType>>]
    /**
     * Filters the block patterns that `core/pattern` can show, by name, such as `my-theme/hero`. Replaces the WordPress
     * function `register_block_pattern`.
     * @param patterns Patterns by name; return a new record instead of modifying this one.
     * @since 0.1.0
     */
    block_patterns: [patterns: Readonly<Record<string, BlockPattern>>]
  }
}

const ofParsedBlock = membersOf<ParsedBlock>(
  {},
  {
    blockName: ['string', 'null'],
    attrs: 'object',
    innerBlocks: 'array',
    innerHTML: 'string',
    innerContent: listOf('string', 'null'),
  },
)

/** A block and those within it. */
const parsedBlock: ContentsCheck = {
  contentsFault: (value) => faultOfBlock(value, 0),
}

function faultOfBlock(value: unknown, depth: number): string | undefined {
  if (depth > BLOCK_DEPTH) return `a block with more than ${BLOCK_DEPTH} within one another`
  const fault = ofParsedBlock.contentsFault(value)
  if (fault !== undefined) return fault
  return innerBlocksOf(value)
    .map((block) => faultOfBlock(block, depth + 1))
    .find((innerFault) => innerFault !== undefined)
}

function innerBlocksOf(block: unknown): readonly unknown[] {
  const hasInner = typeof block === 'object' && block !== null && 'innerBlocks' in block
  return hasInner && Array.isArray(block.innerBlocks) ? block.innerBlocks : []
}

const blockType = membersOf<BlockType>(
  {},
  {
    name: 'string',
    title: 'string',
    description: 'string',
    category: orNull('string'),
    icon: orNull('string'),
    keywords: listOf('string'),
    supports: 'object',
    attributes: recordOf('object'),
    usesContext: listOf('string'),
    providesContext: recordOf('string'),
    skipInnerBlocks: 'boolean',
  },
)

/** Types that were valid. Registered types are frozen, so that they are checked once rather than for each post with blocks. */
const validTypes = new WeakSet<object>()
const knownBlockType: ContentsCheck = {
  contentsFault(value) {
    const isFrozen = typeof value === 'object' && value !== null && Object.isFrozen(value)
    if (isFrozen && validTypes.has(value)) return undefined
    const fault = blockType.contentsFault(value)
    if (isFrozen && fault === undefined) validTypes.add(value)
    return fault
  },
}

/** What these filters may return at run time. */
export const blockFilterShapes = {
  pre_render_block: ['string', 'null'],
  synced_pattern_content: 'string',
  render_block_data: parsedBlock,
  render_block: 'string',
  'render_block_*/*': 'string',
  'block_render_callback_*': ['string', 'null'],
  'self_closing_block_callback_*': ['string', 'null'],
  block_types: recordOf(knownBlockType),
  block_patterns: recordOf(membersOf<BlockPattern>({}, { title: 'string', content: 'string' })),
} satisfies FilterShapes
