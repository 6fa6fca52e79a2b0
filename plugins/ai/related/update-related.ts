import type { ExtensionHost, Post } from 'pentad'
import { z } from 'zod'
import type { Compare } from './compare.ts'
import type { Pairs } from './pairs.ts'
import type { PendingPosts } from './pending-posts.ts'
import type { RelatedSettings } from './settings.ts'

/** Number of posts compared in one batch, with one provider call. */
const TOGETHER = 20
/** Maximum number of pages purged because of one post. */
const MOST_PURGED = 50
const TYPE = 'ai-related'

/** Cache tag of pages that show posts related to a post. */
export const relatedTag = (postId: number) => `ai-related-${postId}`

/** Updates related posts in the background when posts change. */
export function updateRelated(
  host: ExtensionHost,
  parts: { compare: Compare; pairs: Pairs; pending: PendingPosts; settings: () => RelatedSettings },
): void {
  const { content, hooks, jobs, log } = host
  const { compare, pairs, pending, settings } = parts
  const isOn = () => settings().aiRelatedPosts === 'on'

  /** The posts and all posts related to them. */
  async function around(ids: readonly number[]): Promise<number[]> {
    const alike = await Promise.all(ids.map((id) => pairs.of(id, MOST_PURGED)))
    return [...ids, ...alike.flat()]
  }

  async function updatePosts(ids: readonly number[]): Promise<void> {
    const before = await around(ids)
    const posts = [...(await content.posts.getMany(ids)).values()].filter(isOpen)
    const current = new Set(posts.map(({ id }) => id))
    const removed = ids.filter((id) => !current.has(id))
    if (removed.length > 0) await pairs.forget(removed)
    if (posts.length > 0) await compare.posts(posts)
    const tags = [...new Set([...before, ...(await around(ids))])].map(relatedTag)
    hooks.doAction('purge_pages', { tags, reason: 'Related posts changed.' })
  }

  const { job } = jobs.define({
    type: TYPE,
    data: z.object({}),
    async tick({ signal }) {
      while (!signal.aborted) {
        const ids = isOn() ? await pending.take(TOGETHER) : []
        if (ids.length === 0) return { done: true }
        try {
          await updatePosts(ids)
        } catch (error) {
          await pending.add(ids)
          throw error
        }
      }
      return { done: false, data: {} }
    },
  })

  async function begin(): Promise<void> {
    if ((await jobs.list({ type: TYPE, state: 'running' })).length === 0) await job.start({})
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (!isOn()) return
    try {
      await work()
    } catch (error) {
      log.error({ err: error }, 'related posts update failed, will be retried at the next run')
    }
  }

  /** Finds posts that changed without an event, or existed before. */
  const look = () =>
    attempt(async () => {
      if (await pending.addChanged(compare.model())) await begin()
    })

  /** During an import, posts are compared at the end, in batches. */
  let imports = 0
  async function onChange(id: number, ...versions: readonly (Post | null)[]): Promise<void> {
    if (imports > 0 || !versions.some((post) => post !== null && isOpen(post))) return
    await attempt(async () => {
      await pending.add([id])
      await begin()
    })
  }
  hooks.addAction('wp_after_insert_post', (id, post, _update, before) => onChange(id, post, before))
  hooks.addAction('deleted_post', (id, post) => onChange(id, post))
  hooks.addAction('import_start', () => {
    imports++
  })
  hooks.addAction('import_end', () => {
    imports--
    return look()
  })
  // Another model may be connected.
  hooks.addAction('ai_settings_update:after', look)
  jobs.schedule('ai-related', '11 * * * *', look)
  // Does not delay the start of the site.
  host.setTimeout(() => void look(), 0)
}

/** Whether the post is public. */
function isOpen({ type, status, password }: Post): boolean {
  return type === 'post' && status === 'publish' && password === ''
}
