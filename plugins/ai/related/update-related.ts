import type { ExtensionHost, Post } from 'pentad'
import { z } from 'zod'
import type { Compare } from './compare.ts'
import type { Pairs } from './pairs.ts'
import type { PendingPosts } from './pending-posts.ts'
import type { RelatedSettings } from './settings.ts'

/** Posts that are compared together: one call of a provider. */
const TOGETHER = 20
/** Pages that are purged because of one post: the ones most like it. */
const MOST_PURGED = 50
const TYPE = 'ai-related'

/** The tag of pages that show what is like a post. */
export const relatedTag = (postId: number) => `ai-related-${postId}`

/** Keeps it right as posts change, in the background: no save waits for a model. */
export function updateRelated(
  host: ExtensionHost,
  parts: { compare: Compare; pairs: Pairs; pending: PendingPosts; settings: () => RelatedSettings },
): void {
  const { content, hooks, jobs, log } = host
  const { compare, pairs, pending, settings } = parts
  const isOn = () => settings().aiRelatedPosts === 'on'

  /** The posts themselves, and all that may show them. */
  async function around(ids: readonly number[]): Promise<number[]> {
    const alike = await Promise.all(ids.map((id) => pairs.of(id, MOST_PURGED)))
    return [...ids, ...alike.flat()]
  }

  async function bringUpToDate(ids: readonly number[]): Promise<void> {
    const before = await around(ids)
    const posts = [...(await content.posts.getMany(ids)).values()].filter(isOpen)
    const kept = new Set(posts.map(({ id }) => id))
    const gone = ids.filter((id) => !kept.has(id))
    if (gone.length > 0) await pairs.forget(gone)
    if (posts.length > 0) await compare.posts(posts)
    const tags = [...new Set([...before, ...(await around(ids))])].map(relatedTag)
    // Of the performance service, a plugin of its own; without it nobody listens.
    hooks.doAction('speed_purge', { tags, reason: 'Related posts changed.' })
  }

  const { job } = jobs.define({
    type: TYPE,
    data: z.object({}),
    async tick({ signal }) {
      while (!signal.aborted) {
        const ids = isOn() ? await pending.take(TOGETHER) : []
        if (ids.length === 0) return { done: true }
        try {
          await bringUpToDate(ids)
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
      log.error({ err: error }, 'related posts update failed, retried at the next run')
    }
  }

  /** Looks for what changed unheard, or was there before. */
  const look = () =>
    attempt(async () => {
      if (await pending.addChanged(compare.model())) await begin()
    })

  /** While an import runs its posts wait for the end: many together are sooner done. */
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
  // Another model may be connected now.
  hooks.addAction('ai_settings_update:after', look)
  jobs.schedule('ai-related', '11 * * * *', look)
  // The start of the site does not wait for it.
  host.setTimeout(() => void look(), 0)
}

/** Whether everybody may read it. */
function isOpen({ type, status, password }: Post): boolean {
  return type === 'post' && status === 'publish' && password === ''
}
