import { currentRequest } from '../../../core/http/request-context.ts'
import { asContent, contentsAround } from '../../content/render/nesting.ts'
import type { BlockRenderCallback, Post } from '../../content/types.ts'
import { type BlockParts, reader } from './parts.ts'

/** Contents within contents; more are a circle in all but name. */
const DEPTH = 6
/**
 * Contents that one request puts into others, and lists of blocks that it reads: without a limit few patterns that hold
 * each other twice fill any memory, and a post of nothing but list blocks takes half a minute.
 */
const MOST = 1000
/** A list costs more than a content. */
const LIST_WEIGHT = 2

const spentBy = new WeakMap<object, number>()

/** Whether a request may put more contents into others. */
function spend(weight: number): boolean {
  const request = currentRequest()
  if (!request) return true
  const spent = (spentBy.get(request) ?? 0) + weight
  spentBy.set(request, spent)
  return spent <= MOST
}

/**
 * Renders a content within another one: a synced pattern, the text of a post, the posts of a query loop.
 * @param key what is rendered: `block-7`. Within itself it is not rendered again
 * @param weight how many contents it is
 * @returns `undefined` where it would not end
 */
export async function nested(key: string, work: () => Promise<string>, weight = 1): Promise<string | undefined> {
  const around = contentsAround()
  // What is refused costs too: a pattern may name itself a thousand times.
  if (!spend(weight) || around.includes(key) || around.length >= DEPTH) return undefined
  return asContent(key, work)
}

/** The same render callback for a block that reads a list; past the limit of a request it renders nothing. */
export function asList(parts: Pick<BlockParts, 'auth'>, render: BlockRenderCallback): BlockRenderCallback {
  return (attributes, content, block) =>
    spend(LIST_WEIGHT) ? render(attributes, content, block) : halted(parts, block.post, 'the page has too many lists.')
}

/** The same render callback for a block that is short to write and long to show; past the limit of a request it renders nothing. */
export function asLarge(parts: Pick<BlockParts, 'auth'>, render: BlockRenderCallback): BlockRenderCallback {
  return (attributes, content, block) =>
    spend(1) ? render(attributes, content, block) : halted(parts, block.post, 'the page has too many large blocks.')
}

/** What stands in the place of a block that was not rendered: a comment for who edits the post, nothing for others. */
export async function halted({ auth }: Pick<BlockParts, 'auth'>, post: Post, reason: string): Promise<string> {
  const user = reader()
  return user && (await auth.can(user, 'edit_post', post.id)) ? `<!-- Block rendering halted: ${reason} -->` : ''
}
