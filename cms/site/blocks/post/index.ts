import type { FindComments } from '../comments/list.ts'
import type { BlockParts, BlockRenderers } from '../parts.ts'
import { postAuthor } from './author.ts'
import { featuredImage } from './featured-image.ts'
import { postNavigation } from './navigation-link.ts'
import { postTexts } from './texts.ts'

/** Blocks for parts of one post: the current one, or that of the surrounding query loop. */
export const postBlocks = (parts: BlockParts, findComments: FindComments): BlockRenderers => ({
  ...postAuthor(parts, findComments),
  ...featuredImage(parts),
  ...postNavigation(parts),
  ...postTexts(parts),
})
