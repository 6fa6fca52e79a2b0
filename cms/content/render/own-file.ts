import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Post } from '../types.ts'
import type { Attachments } from './attachments.ts'
import { imageTag } from './image-tag.ts'

/** Puts an attachment's own file in front of its description; WordPress's `prepend_attachment`. */
export async function prependAttachment(html: string, post: Post, attachments: Attachments): Promise<string> {
  const attachment = (await attachments.get([post.id])).get(post.id)
  if (!attachment) return html
  const url = escapeHtml(attachment.details.url)
  const [kind] = post.mimeType.split('/')
  if (kind === 'video' || kind === 'audio') {
    return `<p class="attachment"><${kind} controls preload="metadata" src="${url}"></${kind}></p>\n${html}`
  }
  const shown = kind === 'image' ? imageTag(attachment, 'medium') : post.title
  return `<p class="attachment"><a href='${url}'>${shown}</a></p>\n${html}`
}
