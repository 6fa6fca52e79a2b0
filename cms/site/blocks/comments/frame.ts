import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Block, Comment } from '../../../content/types.ts'
import { fill } from '../../../text/catalog.ts'
import { plainText } from '../../../text/plain-text.ts'
import { type BlockParts, type BlockRenderers, choiceClass, isClosed } from '../parts.ts'
import { headingTag } from '../post/texts.ts'
import { renderLegacyComments } from './legacy.ts'
import type { CommentList, FindComments } from './list.ts'

/** `core/comments`, `core/post-comments`, `core/comments-title`, `core/comment-template` and `core/comments-pagination`. */
export function commentsFrame(parts: BlockParts, find: FindComments): BlockRenderers {
  const { content, discussion } = parts

  /** CSS classes of a comment, counted through the whole list as in WordPress's `get_comment_class`. */
  function createClasses(postAuthorId: number) {
    let [all, threads] = [0, 0]
    return ({ type, userId }: Comment, slug: string, depth: number): string => {
      const names = [type === '' ? 'comment' : type]
      if (userId > 0) names.push('byuser', `comment-author-${slug}`)
      if (userId > 0 && userId === postAuthorId) names.push('bypostauthor')
      names.push(...(all % 2 === 0 ? ['even'] : ['odd', 'alt']))
      if (depth === 1) names.push(...(threads++ % 2 === 0 ? ['thread-even'] : ['thread-odd', 'thread-alt']))
      all++
      return [...names, `depth-${depth}`].join(' ')
    }
  }

  async function template(block: Block, list: CommentList): Promise<string> {
    const { threadComments, threadCommentsDepth } = discussion.settings()
    const deepest = threadComments === 'on' ? threadCommentsDepth : 1
    const userIds = [...list.byId.values()].map(({ userId }) => userId).filter((id) => id > 0)
    const users = await parts.auth.users.getMany([...new Set(userIds)])
    const classesOf = createClasses(block.post.authorId)

    async function items(comments: readonly Comment[], depth: number): Promise<string> {
      let html = ''
      for (const comment of comments) {
        const own = await block.renderInner({ context: { commentId: comment.id } })
        const classes = classesOf(comment, users.get(comment.userId)?.slug ?? '', depth)
        const replies = list.repliesTo(comment)
        const below = replies.length === 0 ? '' : await items(replies, Math.min(depth + 1, deepest))
        const nested = below === '' || depth >= deepest ? below : `<ol>${below}</ol>`
        html += `<li id="comment-${comment.id}" class="${classes}">${own}${nested}</li>`
      }
      return html
    }
    return items(list.top, 1)
  }

  return {
    'core/post-comments': (_attributes, _content, block) => renderLegacyComments(parts, find, block),

    async 'core/comments'(attributes, _content, block) {
      if (isSet(attributes, 'legacy')) return renderLegacyComments(parts, find, block)
      const list = await find(block.post)
      if (!discussion.isOpen(block.post) && list.byId.size === 0) return ''
      return block.renderInner()
    },

    async 'core/comment-template'(_attributes, _content, block) {
      if (isClosed(block.post)) return ''
      const list = await find(block.post)
      return list.top.length === 0 ? '' : `<ol ${wrapperAttributes(block)}>${await template(block, list)}</ol>`
    },

    async 'core/comments-title'(attributes, _content, block) {
      const count = isClosed(block.post) ? 0 : block.post.commentCount
      if (count === 0) return ''
      const isOne = count === 1
      const title = `&#8220;${content.renderTitle(block.post)}&#8221;`
      const isNamed = isSet(attributes, 'showPostTitle')
      const isCounted = isSet(attributes, 'showCommentsCount')
      const { __ } = await parts.texts()
      const counted = isOne ? __('One response') : __('%s responses', count.toLocaleString('en'))
      const words = escapeHtml(isCounted ? counted : isOne ? __('Response') : __('Responses'))
      const tag = headingTag(attributes, 2)
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      const wrapper = wrapperAttributes(block, { class: align })
      return `<${tag} id="comments" ${wrapper}>${isNamed ? fill(escapeHtml(__('%1$s to %2$s')), [words, title]) : words}</${tag}>`
    },

    'core/comments-pagination': (_attributes, html, block) =>
      plainText(html) === '' ? '' : `<div ${wrapperAttributes(block)}>${html}</div>`,
    // All comments of a post are on one page, so there are no other pages.
    'core/comments-pagination-previous': () => '',
    'core/comments-pagination-numbers': () => '',
    'core/comments-pagination-next': () => '',
  }
}
