import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { type Moderation, type ModerationLinks, STATUS_OF } from '../content/discussion/moderation-links.ts'
import type { Content } from '../content/types.ts'
import { plainText } from '../text/plain-text.ts'
import type { PageTexts } from '../text/translations.ts'
import { registerEmailLink } from './email-link.ts'
import { messages, type ReadLook } from './pages.ts'

const labelsOf = ({ esc_html__ }: PageTexts): Readonly<Record<Moderation, string>> => ({
  approve: esc_html__('Approve'),
  spam: esc_html__('Mark as spam'),
  trash: esc_html__('Move to trash'),
})
/** What is not shown for comments that wait for approval. */
const statesOf = ({ esc_html__ }: PageTexts): Readonly<Record<Moderation, string>> => ({
  approve: esc_html__('This comment is currently approved.'),
  spam: esc_html__('This comment is currently marked as spam.'),
  trash: esc_html__('This comment is currently in the trash.'),
})
const resultsOf = ({ esc_html__ }: PageTexts): Readonly<Record<Moderation, string>> => ({
  approve: esc_html__('The comment was approved.'),
  spam: esc_html__('The comment was marked as spam.'),
  trash: esc_html__('The comment was moved to the trash.'),
})

interface Parts {
  readonly links: ModerationLinks
  readonly content: Pick<Content, 'posts' | 'link'>
  readonly config: { readonly url: string }
  readonly look: ReadLook
}

/** The page behind the links in emails about comments. */
export function registerCommentModeration(addresses: FixedAddresses, { links, content, ...site }: Parts): void {
  registerEmailLink(addresses, site, {
    action: 'moderate-comment',
    title: ({ esc_html__ }) => esc_html__('Moderate comment'),
    afterError: ({ esc_html__ }) => `<p><a href="/wp-admin/comments">${esc_html__('Go to the comments')}</a></p>`,
    async ask(key, texts, query) {
      const comment = await links.check(key)
      // The action of the link comes first.
      const first = readModeration(query.get('do'))
      const labels = labelsOf(texts)
      const all = Object.keys(labels).filter((name) => isModeration(name))
      // Another moderator may have been faster.
      const done = all.find((name) => STATUS_OF[name] === comment.status)
      const offered = [first, ...all.filter((name) => name !== first)].filter((name) => name !== done)
      const button = (name: Moderation) =>
        `<p><button type="submit" name="do" value="${name}">${labels[name]}</button></p>`
      return {
        text: `${done ? messages(undefined, statesOf(texts)[done]) : ''}<p><strong>${escapeHtml(plainText(comment.authorName)) || texts.esc_html__('Anonymous')}</strong></p>
<p>${escapeHtml(plainText(comment.content))}</p>`,
        buttons: offered.map(button).join('\n'),
      }
    },
    async act(key, texts, fields) {
      const moderation = readModeration(fields.get('do'))
      const comment = await links.moderate(key, moderation)
      const post = await content.posts.get(comment.postId)
      const link =
        post && moderation === 'approve' ? `${content.link(post)}#comment-${comment.id}` : '/wp-admin/comments'
      const { esc_html__ } = texts
      const label = moderation === 'approve' ? esc_html__('View comment') : esc_html__('Go to the comments')
      return `${messages(undefined, resultsOf(texts)[moderation])}
<p><a href="${escapeHtml(link)}">${label}</a></p>`
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
