import type { Auth } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { MailMessage } from '../../mail/types.ts'
import type { Comment, Content, Post } from '../types.ts'
import type { Moderation, ModerationLinks } from './moderation-links.ts'
import type { DiscussionSettings } from './settings.ts'

type MessageFor = (comment: Comment) => Promise<MailMessage | undefined>

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
  siteUrl: string
}): MessageFor {
  const { auth, content, hooks, settings, moderationLinks, siteUrl } = parts

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

  async function toAuthor(comment: Comment, post: Post): Promise<MailMessage | undefined> {
    if (!hooks.applyFilters('notify_post_author', settings().commentsNotify === 'on', comment.id)) return undefined
    const author = await auth.users.get(post.authorId)
    const isNotifiedAnyway = author && author.id !== comment.userId && (await auth.can(author, 'read_post', post.id))
    const own = isNotifiedAnyway && author.email !== '' ? [author.email] : []
    const to = hooks.applyFilters('comment_notification_recipients', own, comment.id)
    if (to.length === 0) return undefined
    const site = content.siteSettings().title
    const title = asText(post.title)
    const subject = `[${asText(site)}] Comment: "${title}"`
    const mayModerate = author && (await auth.can(author, 'edit_comment', comment.id))
    const action = actionsFor(to, own, comment)
    const actions = [action('Trash it', 'trash'), action('Spam it', 'spam')]
    const text = [
      ...[`New comment on your post "${title}"`, ...about(comment), ''],
      ...where(comment, post),
      ...(mayModerate ? actions : []),
    ].join('\n')
    return {
      to,
      subject: hooks.applyFilters('comment_notification_subject', subject, comment.id),
      text: hooks.applyFilters('comment_notification_text', text, comment.id),
      ...replyTo(comment),
    }
  }

  async function toModerators(comment: Comment, post: Post): Promise<MailMessage | undefined> {
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
    const text = [
      `A new comment on the post "${title}" is waiting for your approval`,
      content.link(post),
      '',
      ...about(comment),
      '',
      action('Approve it', 'approve'),
      action('Trash it', 'trash'),
      action('Spam it', 'spam'),
      '',
      total === 1 ? '1 comment is waiting for approval.' : `${total} comments are waiting for approval.`,
      `${siteUrl}/wp-admin/edit-comments.php?comment_status=moderated`,
    ].join('\n')
    return {
      to,
      subject: hooks.applyFilters(
        'comment_moderation_subject',
        `[${asText(site)}] Please moderate: "${title}"`,
        comment.id,
      ),
      text: hooks.applyFilters('comment_moderation_text', text, comment.id),
      ...replyTo(comment),
    }
  }

  const where = (comment: Comment, post: Post): string[] => {
    const link = content.link(post)
    return [
      'You can see all comments on this post here:',
      `${link}#comments`,
      '',
      `Permalink: ${link}#comment-${comment.id}`,
    ]
  }

  return async (comment) => {
    const post = await content.posts.get(comment.postId)
    if (!post) return undefined
    if (comment.status === 'approved') return toAuthor(comment, post)
    return comment.status === 'hold' ? toModerators(comment, post) : undefined
  }
}

function about(comment: Comment): string[] {
  return [
    `Author: ${asText(comment.authorName)} (IP address: ${comment.authorAddress})`,
    `Email: ${comment.authorEmail}`,
    `URL: ${comment.authorUrl}`,
    'Comment:',
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
