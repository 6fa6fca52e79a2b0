import type { FindComments } from '../comments/list.ts'
import type { BlockParts, BlockRenderers } from '../parts.ts'
import { postAuthor } from './author.ts'
import { featuredImage } from './featured-image.ts'
import { postNavigation } from './navigation-link.ts'
import { postTexts } from './texts.ts'

/** Blocks that show something of one post: that which they stand in, or the one of the query loop around them. */
export const postBlocks = (parts: BlockParts, findComments: FindComments): BlockRenderers => ({
  ...postAuthor(parts, findComments),
  ...featuredImage(parts),
  ...postNavigation(parts),
  ...postTexts(parts),
})
