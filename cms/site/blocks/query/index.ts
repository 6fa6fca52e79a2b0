import type { BlockParts, BlockRenderers } from '../parts.ts'
import { createQueries } from './find.ts'
import { queryPagination } from './pagination.ts'
import { queryPosts } from './posts.ts'

/** `core/query` is the frame; these are what stands in it. */
export function queryBlocks(parts: BlockParts): BlockRenderers {
  const find = createQueries(parts)
  return { ...queryPosts(parts, find), ...queryPagination(parts, find) }
}
