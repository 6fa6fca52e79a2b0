import type { Auth } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { MailMessage } from '../../mail/types.ts'
import type { PageTexts, TextsFor } from '../../text/translations.ts'
import type { Comment, Content, Post } from '../types.ts'
import type { Moderation, ModerationLinks } from './moderation-links.ts'
import type { DiscussionSettings } from './settings.ts'

export interface CommentMail {
  readonly message: MailMessage
  readonly language: string
}

type MessageFor = (comment: Comment) => Promise<CommentMail | undefined>

/**
 * Notifications of new comments: to the author of the post when one is approved (WordPress's `wp_notify_postauthor`), to moderators when
 * one is pending (`wp_notify_moderator`).
 */
export function createCommentMails(parts: {
  auth: Auth
  content: Content
  hooks: Hooks
  settings: () => DiscussionSettings
  moderationLinks: ModerationLinks
  textsFor: TextsFor
  siteUrl: string
}): MessageFor {
  const { auth, content, hooks, settings, moderationLinks, textsFor, siteUrl } = parts

  /**
   * Links that moderate the comment after a question. An address that a filter added may belong to someone who may not moderate: then they
   * lead to the admin.
   */
  function actionsFor(to: readonly string[], moderators: readonly string[], comment: Comment) {
    const isSigned = to.every((address) => moderators.includes(address))
    return (label: string, name: Moderation) =>
      isSigned
        ? `${label}: ${moderationLinks.urlOf(comment, name, siteUrl)}`
        : `${label}: ${siteUrl}/wp-admin/comment.php?action=${name}&c=${comment.id}`
  }

  async function toAuthor(comment: Comment, post: Post): Promise<CommentMail | undefined> {
    if (!hooks.applyFilters('notify_post_author', settings().commentsNotify === 'on', comment.id)) return undefined
    const author = await auth.users.get(post.authorId)
    const isNotifiedAnyway = author && author.id !== comment.userId && (await auth.can(author, 'read_post', post.id))
    const own = isNotifiedAnyway && author.email !== '' ? [author.email] : []
    const to = hooks.applyFilters('comment_notification_recipients', own, comment.id)
    if (to.length === 0) return undefined
    const site = content.siteSettings().title
    const title = asText(post.title)
    const texts = await textsFor(author)
    const { __, language } = texts
    const subject = `[${asText(site)}] ${__('Comment: "%s"', title)}`
    const mayModerate = author && (await auth.can(author, 'edit_comment', comment.id))
    const action = actionsFor(to, own, comment)
    const actions = [action(__('Trash it'), 'trash'), action(__('Spam it'), 'spam')]
    const text = [
      ...[__('New comment on your post "%s"', title), ...about(texts, comment), ''],
      ...where(texts, comment, post),
      ...(mayModerate ? actions : []),
    ].join('\n')
    const message = {
      to,
      subject: hooks.applyFilters('comment_notification_subject', subject, comment.id),
      text: hooks.applyFilters('comment_notification_text', text, comment.id),
      ...replyTo(comment),
    }
    return { message, language }
  }

  async function toModerators(comment: Comment, post: Post): Promise<CommentMail | undefined> {
    if (!hooks.applyFilters('notify_moderator', settings().moderationNotify === 'on', comment.id)) return undefined
    const { adminEmail, title: site } = content.siteSettings()
    const title = asText(post.title)
    const author = await auth.users.get(post.authorId)
    const mayApprove = author && author.email !== '' && (await auth.can(author, 'edit_comment', comment.id))
    const own = [adminEmail, mayApprove ? author.email : ''].filter((address) => address !== '')
    const to = hooks.applyFilters('comment_moderation_recipients', [...new Set(own)], comment.id)
    if (to.length === 0) return undefined
    const { total } = await content.comments.query({ statuses: ['hold'], limit: 0 })
    const action = actionsFor(to, own, comment)
    // One message for all, so in the language of the site.
    const texts = await textsFor()
    const { __, _n, language } = texts
    const text = [
      __('A new comment on the post "%s" is waiting for your approval', title),
      content.link(post),
      '',
      ...about(texts, comment),
      '',
      action(__('Approve it'), 'approve'),
      action(__('Trash it'), 'trash'),
      action(__('Spam it'), 'spam'),
      '',
      _n('%s comment is waiting for approval.', '%s comments are waiting for approval.', total),
      `${siteUrl}/wp-admin/edit-comments.php?comment_status=moderated`,
    ].join('\n')
    const subject = `[${asText(site)}] ${__('Please moderate: "%s"', title)}`
    const message = {
      to,
      subject: hooks.applyFilters('comment_moderation_subject', subject, comment.id),
      text: hooks.applyFilters('comment_moderation_text', text, comment.id),
      ...replyTo(comment),
    }
    return { message, language }
  }

  const where = ({ __ }: PageTexts, comment: Comment, post: Post): string[] => {
    const link = content.link(post)
    return [
      __('You can see all comments on this post here:'),
      `${link}#comments`,
      '',
      __('Permalink: %s', `${link}#comment-${comment.id}`),
    ]
  }

  return async (comment) => {
    const post = await content.posts.get(comment.postId)
    if (!post) return undefined
    if (comment.status === 'approved') return toAuthor(comment, post)
    return comment.status === 'hold' ? toModerators(comment, post) : undefined
  }
}

function about({ __ }: PageTexts, comment: Comment): string[] {
  return [
    __('Author: %1$s (IP address: %2$s)', asText(comment.authorName), comment.authorAddress),
    __('Email: %s', comment.authorEmail),
    __('URL: %s', comment.authorUrl),
    __('Comment:'),
    asText(comment.content),
  ]
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'" }

/** Converts stored HTML to text for mail; WordPress's `wp_specialchars_decode`. */
function asText(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#039);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}

function replyTo({ authorEmail }: Comment): Pick<MailMessage, 'replyTo'> {
  return authorEmail === '' ? {} : { replyTo: authorEmail }
}
