import { type ExtensionHost, type Post, plainText } from 'pentad'
import type { PwaSettings } from '../../settings.ts'
import type { Broadcasts } from '../broadcasts.ts'
import type { Compose } from '../compose.ts'

/** Milliseconds after its date for which a post counts as new. Excludes imported and backdated posts. */
const NEWS_FOR = 86_400_000

/** Sends a notification when a post is published, also by schedule, but only once per post. */
export function notifyOfNewContent(
  { hooks, content, log, asVisitor }: ExtensionHost,
  settings: () => PwaSettings,
  { broadcasts, compose }: { broadcasts: Broadcasts; compose: Compose },
): void {
  hooks.addAction('transition_post_status', async function notifyOfPost(newStatus, oldStatus, post) {
    if (newStatus !== 'publish' || oldStatus === 'publish' || !isNews(post, settings())) return
    // Awaited, so that a short-lived process does not exit before the job is queued. Rendered as a visitor because
    // subscribers are anonymous.
    await asVisitor(() => notify(post)).catch((error) =>
      log.error({ err: error, post: post.id }, 'notification for new content failed'),
    )
  })

  async function notify(post: Post): Promise<void> {
    // Only content that everyone can read.
    if (!(await content.canRead(post, null))) return
    const excerpt = plainText(await content.renderExcerpt(post))
    const thumbnail = await content.meta.get('post', post.id, '_thumbnail_id')
    const imageId = Number(thumbnail) || undefined
    const title = plainText(content.renderTitle(post))
    const notification = await compose({ title, body: excerpt, url: content.link(post), imageId })
    await broadcasts.start(notification, { to: 'all' }, `post:${post.id}`)
  }
}

function isNews(post: Post, { pushAutomation, pushNewContent, pushNewContentTypes }: PwaSettings): boolean {
  if (pushAutomation !== 'on' || pushNewContent !== 'on') return false
  const isRecent = Math.abs(Date.now() - Date.parse(`${post.dateGmt}Z`)) < NEWS_FOR
  return pushNewContentTypes.includes(post.type) && post.password === '' && isRecent
}
