import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { registeredAuthors } from '../../../content/profile-pictures.ts'
import { firstWords } from '../../../content/render/excerpt.ts'
import type { Comment, MediaDetails, Post } from '../../../content/types.ts'
import { fill } from '../../../text/catalog.ts'
import { plainText } from '../../../text/plain-text.ts'
import { formatDate } from '../../theme/date-format.ts'
import { avatarTag } from '../avatar.ts'
import {
  type BlockParts,
  type BlockRenderers,
  classNames,
  linkTo,
  reader,
  safeUrl,
  tagPage,
  titleOf,
} from '../parts.ts'

const MOST = 100
/** WordPress's `comment_excerpt_length`. */
const EXCERPT_WORDS = 20
const AVATAR = 48

/** `core/latest-comments` */
export function latestComments({ content, auth, hooks, portraits, origin, texts }: BlockParts): BlockRenderers {
  async function item(
    comment: Comment,
    post: Post,
    attributes: BlockAttributes,
    userLink: string | undefined,
    own: MediaDetails | undefined,
  ): Promise<string> {
    const settings = content.siteSettings()
    const { __ } = await texts()
    const name = escapeHtml(plainText(comment.authorName) || __('Anonymous'))
    const url = /^https?:\/\//i.test(comment.authorUrl) ? safeUrl(comment.authorUrl) : userLink
    const kind = 'wp-block-latest-comments__comment'
    const author = url
      ? `<a class="${kind}-author" href="${url}">${name}</a>`
      : `<span class="${kind}-author">${name}</span>`
    const link = `${linkTo(content, post)}#comment-${comment.id}`
    const title = `<a class="${kind}-link" href="${link}">${titleOf(content, post)}</a>`
    const image = { size: AVATAR, own, class: `${kind}-avatar` }
    const avatar = isSet(attributes, 'displayAvatar') ? avatarTag(hooks, comment.authorName, image) : ''
    const date = isSet(attributes, 'displayDate')
      ? `<time datetime="${formatDate(comment.date, 'c', settings)}" class="${kind}-date">${escapeHtml(
          formatDate(comment.date, settings.dateFormat, settings),
        )}</time>`
      : ''
    const words = isSet(attributes, 'displayExcerpt')
      ? `<div class="${kind}-excerpt"><p>${escapeHtml(
          plainText(await firstWords(content.renderComment(comment), EXCERPT_WORDS, '…')),
        )}</p>\n</div>`
      : ''
    const meta = `<footer class="${kind}-meta">${fill(escapeHtml(__('%1$s on %2$s')), [author, title])}${date}</footer>`
    return `<li class="${kind}">${avatar}<article>${meta}${words}</article></li>`
  }

  return {
    async 'core/latest-comments'(attributes, _content, block) {
      const limit = numberAttribute(attributes, 'commentsToShow', { min: 1, max: MOST, fallback: 5 })
      const { items } = await content.comments.query({
        ...{ statuses: ['approved'], ofPublishedPosts: true, readableBy: reader(), limit },
      })
      const posts = await content.posts.getMany([...new Set(items.map(({ postId }) => postId))])
      const userIds = registeredAuthors(items)
      const users = await auth.users.getMany(userIds)
      const pictures = isSet(attributes, 'displayAvatar') ? await portraits(userIds) : new Map<number, MediaDetails>()
      tagPage('comments', ...[...posts.keys()].map((id) => `post-${id}`))
      let html = ''
      for (const comment of items) {
        const post = posts.get(comment.postId)
        const user = users.get(comment.userId)
        const userLink = user && escapeHtml(origin + content.permalinks().author(user.slug))
        if (post) html += await item(comment, post, attributes, userLink, pictures.get(comment.userId))
      }
      const names = classNames(
        isSet(attributes, 'displayAvatar') && 'has-avatars',
        isSet(attributes, 'displayDate') && 'has-dates',
        isSet(attributes, 'displayExcerpt') && 'has-excerpts',
        html === '' && 'no-comments',
      )
      const wrapper = wrapperAttributes(block, { class: names })
      return html === ''
        ? `<div ${wrapper}>${escapeHtml((await texts()).__('No comments to show.'))}</div>`
        : `<ol ${wrapper}>${html}</ol>`
    },
  }
}
