import { type ExtensionHost, type Post, plainText, RestError, type RestRequest } from 'pentad'
import { z } from 'zod'
import { cutText } from '../cut-text.ts'
import type { Fence } from '../fence.ts'
import { mentions } from '../mentions.ts'

/** Characters of a text that a model reads. */
const LONGEST_MATERIAL = 20_000

const longText = z.string().max(500_000)

/** What is wanted, in the words of whoever asks. */
export const brief = z.string().trim().max(10_000).describe('Topic or instructions.')

/** The post that it is for: a stored one, or what stands in the editor now, which counts before what is stored. */
export const materialInput = {
  postId: z.int().min(1).optional().describe('ID of the post. Requires permission to edit it.'),
  title: longText.optional().describe('Title of the post, if it is not saved yet.'),
  content: longText.optional().describe('Content of the post, if it is not saved yet.'),
}

/** A wish in somebody's own words, and posts that it names. */
export const briefInput = { brief: brief.optional(), context: mentions }

/** What a text is written about. */
export interface Material {
  readonly post: Post | undefined
  /** Plain text, and so is the rest. */
  readonly title: string
  readonly text: string
}

/** @throws RestError 404 `post_not_found`, 403 `rest_forbidden` */
export async function readMaterial(
  { content }: Pick<ExtensionHost, 'content'>,
  input: {
    readonly postId?: number | undefined
    readonly title?: string | undefined
    readonly content?: string | undefined
  },
  { can }: Pick<RestRequest, 'can'>,
): Promise<Material> {
  const post = input.postId === undefined ? undefined : await content.posts.get(input.postId)
  if (input.postId !== undefined && !post) throw new RestError('post_not_found', 'Post not found.', { status: 404 })
  if (post && !(await can('edit_post', post.id)))
    throw new RestError('rest_forbidden', 'Sorry, you are not allowed to edit this post.', { status: 403 })
  const stored = post && input.content === undefined ? await content.renderText(post) : ''
  return {
    post,
    title: plainText(input.title ?? post?.title ?? ''),
    text: input.content === undefined ? stored : plainText(input.content),
  }
}

/** @param names of the parameters, one of which must say something @throws RestError 400 `rest_missing_callback_param` */
export function requireOne(names: readonly string[], ...texts: readonly (string | undefined)[]): void {
  if (texts.some((text) => text !== undefined && text !== '')) return
  const message = `There is nothing to write about. Provide at least one of: ${names.join(', ')}.`
  throw new RestError('rest_missing_callback_param', message, { status: 400, params: names })
}

/** The question to a model: the wish in the user's own words, and the post and those that the brief mentions as data. */
export function question(
  wish: string,
  brief: string | undefined,
  { title, text }: Pick<Material, 'title' | 'text'>,
  fence: Fence,
  mentioned: readonly string[] = [],
): string {
  return [
    wish,
    brief ? `Brief: ${brief}` : '',
    title === '' ? '' : fence.wrap('title', title),
    text === '' ? '' : fence.wrap('content', cutText(text, LONGEST_MATERIAL)),
    ...mentioned,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
