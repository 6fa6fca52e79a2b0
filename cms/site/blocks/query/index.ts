import type { BlockParts, BlockRenderers } from '../parts.ts'
import { createQueries } from './find.ts'
import { queryPagination } from './pagination.ts'
import { queryPosts } from './posts.ts'

/** Inner blocks of `core/query`. */
export function queryBlocks(parts: BlockParts): BlockRenderers {
  const find = createQueries(parts)
  return { ...queryPosts(parts, find), ...queryPagination(parts, find) }
}
