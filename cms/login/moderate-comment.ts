import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { type Moderation, type ModerationLinks, STATUS_OF } from '../content/discussion/moderation-links.ts'
import type { Content } from '../content/types.ts'
import { plainText } from '../text/plain-text.ts'
import { registerEmailLink } from './email-link.ts'
import { messages, type SiteBrand } from './pages.ts'

const LABELS: Readonly<Record<Moderation, string>> = {
  approve: 'Approve',
  spam: 'Mark as spam',
  trash: 'Move to trash',
}
const DONE: Readonly<Record<Moderation, string>> = {
  approve: 'The comment was approved.',
  spam: 'The comment was marked as spam.',
  trash: 'The comment was moved to the trash.',
}

interface Parts {
  readonly links: ModerationLinks
  readonly content: Pick<Content, 'posts' | 'link'>
  readonly config: { readonly url: string }
  readonly brand: () => Promise<SiteBrand>
}

/** The page behind the links in emails about comments. */
export function registerCommentModeration(addresses: FixedAddresses, { links, content, ...site }: Parts): void {
  registerEmailLink(addresses, site, {
    action: 'moderate-comment',
    title: 'Moderate comment',
    afterError: '<p><a href="/wp-admin/comments">Go to the comments</a></p>',
    async ask(key, query) {
      const comment = await links.check(key)
      // The action of the link comes first.
      const first = readModeration(query.get('do'))
      const rest = Object.keys(LABELS)
        .filter((name) => isModeration(name))
        .filter((name) => name !== first)
      const button = (name: Moderation) =>
        `<p><button type="submit" name="do" value="${name}">${LABELS[name]}</button></p>`
      return {
        text: `<p><strong>${escapeHtml(plainText(comment.authorName) || 'Anonymous')}</strong></p>
<p>${escapeHtml(plainText(comment.content))}</p>`,
        buttons: [first, ...rest].map(button).join('\n'),
      }
    },
    async act(key, fields) {
      const moderation = readModeration(fields.get('do'))
      const comment = await links.moderate(key, moderation)
      const post = await content.posts.get(comment.postId)
      const link =
        post && moderation === 'approve' ? `${content.link(post)}#comment-${comment.id}` : '/wp-admin/comments'
      return `${messages(undefined, DONE[moderation])}
<p><a href="${escapeHtml(link)}">${moderation === 'approve' ? 'View comment' : 'Go to the comments'}</a></p>`
    },
  })
}

function isModeration(name: string | null): name is Moderation {
  return name !== null && Object.hasOwn(STATUS_OF, name)
}

/** @throws RestError 400 `rest_invalid_param` */
function readModeration(name: string | null): Moderation {
  if (isModeration(name)) return name
  throw new RestError('rest_invalid_param', 'The action is not valid.', { status: 400 })
}
