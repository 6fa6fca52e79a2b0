import { type ExtensionHost, type Post, plainText, RestError, type RestRequest } from 'pentad'
import { z } from 'zod'
import { cutText } from '../cut-text.ts'
import type { Fence } from '../fence.ts'
import { mentions } from '../mentions.ts'

/** Maximum length of a text sent to the model. */
const LONGEST_MATERIAL = 20_000

const longText = z.string().max(500_000)

/** Instructions of the user. */
export const brief = z.string().trim().max(10_000).describe('Topic or instructions.')

/** The post: saved, or with unsaved changes from the editor, which take precedence. */
export const materialInput = {
  postId: z.int().min(1).optional().describe('ID of the post. Requires permission to edit it.'),
  title: longText.optional().describe('Title of the post, if it is not saved yet.'),
  content: longText.optional().describe('Content of the post, if it is not saved yet.'),
}

/** Instructions of the user, and posts mentioned in them. */
export const briefInput = { brief: brief.optional(), context: mentions }

/** Source material of a prompt. */
export interface Material {
  readonly post: Post | undefined
  /** Plain text, like the other fields. */
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

/**
 * @param names parameters, at least one of which must not be empty @throws RestError 400 `rest_missing_callback_param`
 */
export function requireOne(names: readonly string[], ...texts: readonly (string | undefined)[]): void {
  if (texts.some((text) => text !== undefined && text !== '')) return
  const message = `There is no topic to write about. Provide at least one of: ${names.join(', ')}.`
  throw new RestError('rest_missing_callback_param', message, { status: 400, params: names })
}

/** The prompt: the instructions of the user, followed by the post and mentioned posts as fenced data. */
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
