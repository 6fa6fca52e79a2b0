import { type ExtensionHost, type Post, plainText } from 'pentad'
import type { PwaSettings } from '../../settings.ts'
import type { Compose } from '../compose.ts'
import type { Sendings } from '../sendings.ts'

/** Milliseconds after its date that a post is news; an import or a backdated post is none. */
const NEWS_FOR = 86_400_000

/** Tells of a post when it is published, also by schedule: once, however often it changes. */
export function tellOfNewContent(
  { hooks, content, log, asVisitor }: ExtensionHost,
  settings: () => PwaSettings,
  { sendings, compose }: { sendings: Sendings; compose: Compose },
): void {
  hooks.addAction('transition_post_status', async function tellOfPost(newStatus, oldStatus, post) {
    if (newStatus !== 'publish' || oldStatus === 'publish' || !isNews(post, settings())) return
    // Until it is a job the process must not end, such as one that only publishes what is due. Sending comes later.
    // Subscribers are anonymous, whoever publishes.
    await asVisitor(() => tell(post)).catch((error) =>
      log.error({ err: error, post: post.id }, 'new content could not be told of'),
    )
  })

  async function tell(post: Post): Promise<void> {
    // What not everybody may read is no news for them.
    if (!(await content.canRead(post, null))) return
    const excerpt = plainText(await content.renderExcerpt(post))
    const thumbnail = await content.meta.get('post', post.id, '_thumbnail_id')
    const imageId = Number(thumbnail) || undefined
    const title = plainText(content.renderTitle(post))
    const notification = await compose({ title, body: excerpt, url: content.link(post), imageId })
    await sendings.start(notification, { to: 'all' }, `post:${post.id}`)
  }
}

function isNews(post: Post, { pushAutomation, pushNewContent, pushNewContentTypes }: PwaSettings): boolean {
  if (pushAutomation !== 'on' || pushNewContent !== 'on') return false
  const isRecent = Math.abs(Date.now() - Date.parse(`${post.dateGmt}Z`)) < NEWS_FOR
  return pushNewContentTypes.includes(post.type) && post.password === '' && isRecent
}
