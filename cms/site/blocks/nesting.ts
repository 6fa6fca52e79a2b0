import { currentRequest } from '../../../core/http/request-context.ts'
import { asContent, contentsAround } from '../../content/render/nesting.ts'
import type { BlockRenderCallback, Post } from '../../content/types.ts'
import { type BlockParts, reader } from './parts.ts'

/** Maximum nesting depth of content. */
const DEPTH = 6
/**
 * Limits per request on nested content and on list blocks: patterns that contain each other twice would exhaust memory,
 * and a post of nothing but list blocks would take half a minute.
 */
const MOST = 1000
/** A list costs more than nested content. */
const LIST_WEIGHT = 2

const spentBy = new WeakMap<object, number>()

/** Whether a request may render more nested content. */
function spend(weight: number): boolean {
  const request = currentRequest()
  if (!request) return true
  const spent = (spentBy.get(request) ?? 0) + weight
  spentBy.set(request, spent)
  return spent <= MOST
}

/**
 * Renders content inside other content: a synced pattern, the content of a post, the posts of a query loop.
 * @param key identifies the content: `block-7`; it is not rendered inside itself
 * @param weight cost of the content
 * @returns `undefined` if it is recursive or over the limit
 */
export async function nested(key: string, work: () => Promise<string>, weight = 1): Promise<string | undefined> {
  const around = contentsAround()
  // Rejections count too: a pattern may reference itself a thousand times.
  if (!spend(weight) || around.includes(key) || around.length >= DEPTH) return undefined
  return asContent(key, work)
}

/** Wraps the render callback of a list block; empty above the limit of a request. */
export function asList(parts: Pick<BlockParts, 'auth'>, render: BlockRenderCallback): BlockRenderCallback {
  return (attributes, content, block) =>
    spend(LIST_WEIGHT) ? render(attributes, content, block) : halted(parts, block.post, 'the page has too many lists.')
}

/** Wraps the render callback of a block with short markup and large output; empty above the limit of a request. */
export function asLarge(parts: Pick<BlockParts, 'auth'>, render: BlockRenderCallback): BlockRenderCallback {
  return (attributes, content, block) =>
    spend(1) ? render(attributes, content, block) : halted(parts, block.post, 'the page has too many large blocks.')
}

/** Output instead of a block that was not rendered: an HTML comment for editors of the post, nothing for others. */
export async function halted({ auth }: Pick<BlockParts, 'auth'>, post: Post, reason: string): Promise<string> {
  const user = reader()
  return user && (await auth.can(user, 'edit_post', post.id)) ? `<!-- Block rendering halted: ${reason} -->` : ''
}
