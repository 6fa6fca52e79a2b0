import type { ExtensionHost, Post } from 'pentad'
import { DECISIVE_FIELDS, type Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import type { PendingPages } from './pending-pages.ts'

/** Fields of a post that appear on its page. */
const SHOWN = ['title', 'content', 'excerpt', 'template', 'date', 'authorId'] as const

/** Queues pages for IndexNow when they are published, updated or deleted. */
export function watchPages(
  { content, hooks, log }: Pick<ExtensionHost, 'content' | 'hooks' | 'log'>,
  parts: { settings: () => SeoSettings; indexable: Indexable; waiting: PendingPages },
): void {
  const { settings, indexable, waiting } = parts

  const isWatched = ({ type }: Post) => {
    const { indexNow, indexNowExcludedTypes } = settings()
    return indexNow === 'on' && !indexNowExcludedTypes.includes(type)
  }

  /** Pages that were added, changed or removed. Pages that are not indexable are ignored. */
  async function changedUrls(before: Post | undefined, after: Post): Promise<string[]> {
    const wasShown = before !== undefined && (await indexable.isIndexable(before))
    const isShown = await indexable.isIndexable(after)
    const isSame = wasShown && SHOWN.every((field) => before[field] === after[field])
    const oldUrl = wasShown ? content.link(before) : undefined
    const url = isShown ? content.link(after) : undefined
    return [
      url !== undefined && (url !== oldUrl || !isSame) ? url : undefined,
      oldUrl !== url ? oldUrl : undefined,
    ].filter((one) => one !== undefined)
  }

  async function note(postId: number, urls: () => Promise<readonly string[]>): Promise<void> {
    try {
      await waiting.add((await urls()).map((url) => ({ url, postId })))
    } catch (error) {
      log.error({ err: error, post: postId }, 'page not queued for IndexNow')
    }
  }

  hooks.addAction('wp_after_insert_post', async function tellSearchEngines(id, post, _update, before) {
    if (isWatched(post)) await note(id, () => changedUrls(before ?? undefined, post))
  })

  // Looked up while the fields still exist; both hooks receive the same object.
  const going = new WeakMap<Post, readonly string[]>()
  hooks.addAction('delete_post', async function noteWhatGoes(_id, post) {
    if (isWatched(post) && (await indexable.isIndexable(post))) going.set(post, [content.link(post)])
  })
  hooks.addAction('deleted_post', async function tellOfDeletion(id, post) {
    await note(id, async () => going.get(post) ?? [])
  })

  const onMeta = async (_metaId: unknown, postId: number, key: string) => {
    if (!DECISIVE_FIELDS.has(key) || settings().indexNow !== 'on') return
    const post = await content.posts.get(postId)
    if (post && isWatched(post)) await note(postId, () => changedUrls(undefined, post))
  }
  hooks.addAction('added_post_meta', onMeta)
  hooks.addAction('updated_post_meta', onMeta)
  hooks.addAction('deleted_post_meta', onMeta)
}
