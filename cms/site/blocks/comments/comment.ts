import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Block, BlockRenderCallback, Comment } from '../../../content/types.ts'
import { plainText } from '../../../text/plain-text.ts'
import { formatDate } from '../../theme/date-format.ts'
import { type BlockParts, type BlockRenderers, choiceClass, linkTo, reader, safeUrl } from '../parts.ts'
import { dateHtml, linkTarget } from '../post/texts.ts'
import type { CommentList, FindComments } from './list.ts'

/** Blocks for parts of one comment, inside `core/comment-template`. */
export function commentParts(
  { content, auth, discussion, origin, texts }: BlockParts,
  find: FindComments,
): BlockRenderers {
  /** A block for one comment; empty outside of the template, and for comments that the reader cannot see. */
  const ofComment =
    (render: (comment: Comment, block: Block, list: CommentList) => string | Promise<string>): BlockRenderCallback =>
    async (_attributes, _content, block) => {
      const id = numberAttribute(block.context, 'commentId')
      if (id === 0) return ''
      const list = await find(block.post)
      const comment = list.byId.get(id)
      return comment ? render(comment, block, list) : ''
    }
  const wrapper = (block: Block) =>
    wrapperAttributes(block, { class: choiceClass('has-text-align-', textAttribute(block.attributes, 'textAlign')) })
  const nameOf = async (comment: Comment) => plainText(comment.authorName) || (await texts()).__('Anonymous')
  const isLinked = (attributes: BlockAttributes) => isSet(attributes, 'isLink')

  return {
    'core/comment-author-name': ofComment(async (comment, block) => {
      const { attributes } = block
      const name = escapeHtml(await nameOf(comment))
      const url = /^https?:\/\//i.test(comment.authorUrl) ? safeUrl(comment.authorUrl) : ''
      const isShown = url !== '' && isLinked(attributes) && comment.status === 'approved'
      const shown = isShown
        ? `<a rel="external nofollow ugc" href="${url}" ${linkTarget(attributes)}>${name}</a>`
        : name
      return `<div ${wrapper(block)}>${shown}</div>`
    }),

    'core/comment-date': ofComment((comment, block) => {
      const settings = content.siteSettings()
      const { attributes } = block
      const text = dateHtml(
        formatDate(comment.date, textAttribute(attributes, 'format') || settings.dateFormat, settings),
      )
      const link = `${linkTo(content, block.post)}#comment-${comment.id}`
      const shown = isLinked(attributes) ? `<a href="${link}">${text}</a>` : text
      const time = formatDate(comment.date, 'c', settings)
      return `<div ${wrapperAttributes(block)}><time datetime="${time}">${shown}</time></div>`
    }),

    'core/comment-content': ofComment(async (comment, block) => {
      const html = content.renderComment(comment)
      if (html === '') return ''
      const isWaiting = comment.status !== 'approved'
      const { __ } = await texts()
      const waits = escapeHtml(
        __(
          'Your comment is awaiting moderation. This is a preview; your comment will be visible after it has been approved.',
        ),
      )
      const note = isWaiting ? `<p><em class="comment-awaiting-moderation">${waits}</em></p>` : ''
      return `<div ${wrapper(block)}>${note}${isWaiting ? escapeHtml(plainText(html)) : html}</div>`
    }),

    'core/comment-edit-link': ofComment(async (comment, block) => {
      const user = reader()
      if (!user || !(await auth.can(user, 'edit_comment', comment.id))) return ''
      const target = textAttribute(block.attributes, 'linkTarget')
      const own = target === '' ? '' : ` target="${escapeHtml(target)}"`
      const url = escapeHtml(`${origin}/wp-admin/comment.php?action=editcomment&c=${comment.id}`)
      return `<div ${wrapper(block)}><a href="${url}"${own}>${escapeHtml((await texts()).__('Edit'))}</a></div>`
    }),

    'core/comment-reply-link': ofComment(async (comment, block, list) => {
      const depth = list.depthOf(comment)
      if (depth >= discussion.settings().threadCommentsDepth || !list.ofPage?.replyUrl(comment)) return ''
      const { __ } = await texts()
      const label = escapeHtml(__('Reply to %s', await nameOf(comment)))
      const link = content.link(block.post)
      const url = escapeHtml(`${link}${link.includes('?') ? '&' : '?'}replytocom=${comment.id}#respond`)
      return `<div ${wrapper(block)}><a rel="nofollow" class="comment-reply-link" href="${url}" aria-label="${label}">${escapeHtml(__('Reply'))}</a></div>`
    }),
  }
}
