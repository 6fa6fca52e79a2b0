import type { User } from '../../../../core/auth/types.ts'
import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import { bordersOf, wrapperAttributes } from '../../../content/blocks/supports.ts'
import { descriptionHtml } from '../../../content/render/comment.ts'
import { cleanPostHtml } from '../../../content/sanitize-post.ts'
import type { Post } from '../../../content/types.ts'
import { avatarTag } from '../avatar.ts'
import type { FindComments } from '../comments/list.ts'
import { around, type BlockParts, type BlockRenderers, choiceClass, classNames, tagPage } from '../parts.ts'
import { linkTarget } from './texts.ts'

/** `core/post-author`, `core/post-author-name`, `core/post-author-biography`, and `core/avatar` of users and commenters. */
export function postAuthor(parts: BlockParts, findComments: FindComments): BlockRenderers {
  const { content, auth, hooks, portraits, origin } = parts
  const authorOf = async (post: Post): Promise<User | undefined> => (await around(parts, post)).author
  const archiveOf = (author: User) => escapeHtml(origin + content.permalinks().author(author.slug))

  /** An author with published posts; others are not revealed. */
  async function publicAuthor(id: number): Promise<User | undefined> {
    const query = { authors: [id], types: ['post', 'page'], limit: 1, noFoundRows: true, readableBy: null }
    const { items } = await content.posts.query(query)
    tagPage(`author-${id}`)
    return items.length > 0 ? auth.users.get(id) : undefined
  }

  return {
    async 'core/post-author'(attributes, _content, block) {
      const { author, picture } = await around(parts, block.post)
      if (!author) return ''
      const names = classNames(
        choiceClass('items-justified-', textAttribute(attributes, 'itemsJustification')),
        choiceClass('has-text-align-', textAttribute(attributes, 'textAlign')),
      )
      const kind = 'wp-block-post-author'
      const size = numberAttribute(attributes, 'avatarSize', { fallback: 48 })
      const avatar = isSet(attributes, 'showAvatar')
        ? `<div class="${kind}__avatar">${size > 0 ? avatarTag(hooks, author.slug, { size, own: picture }) : ''}</div>`
        : ''
      const byline = textAttribute(attributes, 'byline')
      const by = byline === '' ? '' : `<p class="${kind}__byline">${cleanPostHtml(byline)}</p>`
      const bio = isSet(attributes, 'showBio')
        ? `<p class="${kind}__bio">${inline(descriptionHtml(author.description))}</p>`
        : ''
      const name = `<p class="${kind}__name">${escapeHtml(author.displayName)}</p>`
      return `<div ${wrapperAttributes(block, { class: names })}>${avatar}<div class="${kind}__content">${by}${name}${bio}</div></div>`
    },

    async 'core/post-author-name'(attributes, _content, block) {
      const author = await authorOf(block.post)
      if (!author) return ''
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      const name = escapeHtml(author.displayName)
      const shown = isSet(attributes, 'isLink')
        ? `<a href="${archiveOf(author)}" ${linkTarget(attributes)} class="wp-block-post-author-name__link">${name}</a>`
        : name
      return `<div ${wrapperAttributes(block, { class: align })}>${shown}</div>`
    },

    async 'core/post-author-biography'(attributes, _content, block) {
      const author = await authorOf(block.post)
      const html = inline(descriptionHtml(author?.description ?? ''))
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      return html === '' ? '' : `<div ${wrapperAttributes(block, { class: align })}>${html}</div>`
    },

    async 'core/avatar'(attributes, _content, block) {
      const size = numberAttribute(attributes, 'size', { min: 1, fallback: 96 })
      const border = bordersOf(attributes)
      const image = { size, class: classNames('wp-block-avatar__image', ...border.classes), style: border.style }
      const link = (url: string, label: string, html: string) => {
        if (!isSet(attributes, 'isLink') || url === '') return html
        const isNew = textAttribute(attributes, 'linkTarget') === '_blank'
        const named = isNew ? `aria-label="${escapeHtml(label)}"` : ''
        return `<a href="${url}" ${linkTarget(attributes)} ${named} class="wp-block-avatar__link">${html}</a>`
      }
      const commentId = numberAttribute(block.context, 'commentId')
      if (commentId > 0) {
        const comments = await findComments(block.post)
        const comment = comments.byId.get(commentId)
        if (!comment) return ''
        const own = (await comments.portraits()).get(comment.userId)
        const name = comment.authorName
        const url = /^https?:\/\//i.test(comment.authorUrl) ? escapeHtml(comment.authorUrl) : ''
        const html = avatarTag(hooks, name, { ...image, own, alt: `${name} Avatar` })
        const label = `(${name} website link, opens in a new tab)`
        return `<div ${wrapperAttributes(block)}>${link(url, label, html)}</div>`
      }
      const userId = numberAttribute(attributes, 'userId')
      const author = userId > 0 ? await publicAuthor(userId) : await authorOf(block.post)
      if (!author) return ''
      // Read for all posts of a loop together.
      const own = userId > 0 ? (await portraits([userId])).get(userId) : (await around(parts, block.post)).picture
      const html = avatarTag(hooks, author.slug, { ...image, own, alt: `${author.displayName} Avatar` })
      const label = `(${author.displayName} author archive, opens in a new tab)`
      return `<div ${wrapperAttributes(block)}>${link(archiveOf(author), label, html)}</div>`
    },
  }
}

/** A biography inside a paragraph: safe inline HTML. */
function inline(html: string): string {
  return html.replaceAll(/<\/?p>/g, '').trim()
}
