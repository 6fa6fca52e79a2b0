import type { BlockParts, BlockRenderers } from '../parts.ts'
import { commentParts } from './comment.ts'
import { commentsForm } from './form.ts'
import { commentsFrame } from './frame.ts'
import type { FindComments } from './list.ts'

/** The comments block `core/comments` with its inner blocks. */
export function commentBlocks(parts: BlockParts, find: FindComments): BlockRenderers {
  return { ...commentsFrame(parts, find), ...commentParts(parts, find), ...commentsForm(parts, find) }
}
