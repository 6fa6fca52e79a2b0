import { LRUCache } from 'lru-cache'
import type { Hooks } from '../../../core/hooks/types.ts'
import { forgetOnPurge } from '../forget-on-purge.ts'
import type { Media, MediaDetails, Post, Posts } from '../types.ts'

/** An attachment with the data of its file. */
export interface Attachment {
  readonly post: Post
  readonly details: MediaDetails
}

/** Attachments that contents show. */
export interface Attachments {
  /** Those of the ids that are attachments. */
  get(ids: readonly number[]): Promise<Map<number, Attachment>>
  /**
   * Files that were uploaded to a post, in the order of its gallery.
   * @param kind `image`, `audio` or `video`
   */
  ofPost(postId: number, kind: string): Promise<Attachment[]>
}

/** Actions that invalidate the cache. */
const CHANGES: readonly string[] = [
  'add_attachment',
  'edit_attachment',
  'deleted_post',
  'added_post_meta',
  'updated_post_meta',
  'deleted_post_meta',
]
/** Milliseconds after which changes by other processes take effect, if no purge arrives before. */
const LIFETIME = 1000
/** Files of one post. */
const FILES_LIMIT = 500

/**
 * Batches lookups of attachments across contents that are rendered concurrently, so that a list of posts needs no more queries than one
 * post.
 */
export function createAttachments(parts: { hooks: Hooks; media: Media; posts: Posts }): Attachments {
  const { hooks, media, posts } = parts
  const known = new LRUCache<number, Promise<Attachment | undefined>>({
    ...{ maxSize: 2000, sizeCalculation: () => 1, ttl: LIFETIME },
  })
  const uploaded = new LRUCache<number, Promise<Attachment[]>>({ max: 200, ttl: LIFETIME })
  let batch: { ids: Set<number>; result: Promise<Map<number, Attachment>> } | undefined
  const forget = () => {
    // Clearing an empty one takes its time too.
    if (known.size > 0) known.clear()
    if (uploaded.size > 0) uploaded.clear()
    batch = undefined
  }
  for (const name of CHANGES) hooks.addAction(name, forget)
  forgetOnPurge(hooks, forget)

  async function withDetails(found: readonly Post[]): Promise<Map<number, Attachment>> {
    const details = await media.details(found)
    const attachments = new Map<number, Attachment>()
    for (const post of found) {
      const known = details.get(post.id)
      if (known) attachments.set(post.id, { post, details: known })
    }
    return attachments
  }

  async function fetch(ids: Set<number>): Promise<Map<number, Attachment>> {
    // Other contents add to the batch until the next iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    if (batch?.ids === ids) batch = undefined
    const found = await posts.getMany([...ids])
    return withDetails([...found.values()].filter((post) => post.type === 'attachment'))
  }

  function load(id: number): Promise<Attachment | undefined> {
    let attachment = known.get(id)
    if (!attachment) {
      if (!batch) {
        const ids = new Set<number>()
        batch = { ids, result: fetch(ids) }
      }
      batch.ids.add(id)
      attachment = batch.result.then((result) => result.get(id))
      attachment.catch(() => known.delete(id))
      known.set(id, attachment)
    }
    return attachment
  }

  return {
    async get(ids) {
      const attachments = new Map<number, Attachment>()
      for (const attachment of await Promise.all(ids.map(load))) {
        if (attachment) attachments.set(attachment.post.id, attachment)
      }
      return attachments
    },
    async ofPost(postId, kind) {
      let files = uploaded.get(postId)
      if (!files) {
        files = filesOf(postId)
        files.catch(() => uploaded.delete(postId))
        uploaded.set(postId, files)
      }
      return (await files).filter(({ post }) => post.mimeType.startsWith(`${kind}/`))
    },
  }

  async function filesOf(postId: number): Promise<Attachment[]> {
    const { items } = await posts.query({
      types: ['attachment'],
      statuses: ['inherit', 'publish'],
      parents: [postId],
      orderBy: 'menu_order',
      order: 'asc',
      limit: FILES_LIMIT,
    })
    return [...(await withDetails(items)).values()]
  }
}
