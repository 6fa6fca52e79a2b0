import coreTypes from './core-types.json' with { type: 'json' }
import { completeBlockType } from './register.ts'
import type { BlockMetadata, BlockType } from './types.ts'

const declared: readonly BlockMetadata[] = coreTypes

/** Their inner blocks are rendered by their callbacks: for each post, each comment, or not at all. */
const SKIPPING: ReadonlySet<string> = new Set([
  ...['core/post-template', 'core/comment-template', 'core/comments', 'core/navigation'],
  ...['core/navigation-link', 'core/navigation-submenu', 'core/query-no-results'],
])

/** WordPress's own block types, by name, as their `block.json` declares them. */
export const CORE_BLOCK_TYPES: Readonly<Record<string, BlockType>> = Object.fromEntries(
  declared.map((type) => [type.name, completeBlockType({ ...type, skipInnerBlocks: SKIPPING.has(type.name) })]),
)
