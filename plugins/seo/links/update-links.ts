import { type ExtensionHost, type Post, writeRepeatably } from 'pentad'
import { DECISIVE_FIELDS } from '../indexable.ts'
import type { Backfill } from './backfill.ts'
import type { LinkIndex } from './link-index.ts'
import { navigationAddresses } from './navigation.ts'
import type { ReadPages } from './read-pages.ts'

/** Fields that decide the place of a page in menus and in lists of child pages. */
const IN_MENU = ['type', 'status', 'parentId', 'menuOrder'] as const

/** Updates the link index when content changes, before the save completes. */
export function updateLinks(
  host: ExtensionHost,
  { index, read, backfill }: { index: LinkIndex; read: ReadPages; backfill: Backfill },
): void {
  const { content, hooks, log } = host
  /** During an import, posts are indexed at the end, in batches. */
  let imports = 0

  const isTracked = ({ type }: Post) => type !== 'attachment' && content.postTypes().get(type)?.public === true

  async function refresh(ids: readonly number[]): Promise<void> {
    const posts = [...(await content.posts.getMany(ids)).values()].filter(isTracked)
    const published = posts.filter(({ status }) => status === 'publish')
    if (published.length > 0) await index.put(await read.pages(published))
    const current = new Set(published.map(({ id }) => id))
    const removed = ids.filter((id) => !current.has(id))
    if (removed.length > 0) await index.forget(removed)
  }

  async function refreshMenus(...pages: readonly (Post | undefined)[]): Promise<void> {
    const parents = pages.flatMap((page) => (page?.type === 'page' ? [page.parentId] : []))
    if (parents.includes(0)) await index.putNavigation(await navigationAddresses(host))
    const above = [...new Set(parents)].filter((id) => id > 0)
    if (above.length > 0) await refresh(above)
  }

  async function onSaved(id: number, after: Post, before: Post | undefined): Promise<void> {
    if (!isTracked(after) || (after.status !== 'publish' && before?.status !== 'publish')) return
    // Not flushed to disk if the backfill finds the post after a power failure, by the time of its modification.
    const isFound = before?.modifiedGmt !== after.modifiedGmt
    await (isFound ? writeRepeatably(() => refresh([id])) : refresh([id]))
    if (before === undefined || IN_MENU.some((field) => before[field] !== after[field]))
      await refreshMenus(before, after)
    // Child pages have new URLs, and no event is fired for them.
    const isAbove = content.postTypes().get(after.type)?.hierarchical === true
    if (isAbove && before !== undefined && before.path !== after.path) await backfill.start()
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (imports > 0) return
    try {
      await work()
    } catch (error) {
      log.error({ err: error }, 'link index update failed, will be retried at the next run')
    }
  }

  hooks.addAction('wp_after_insert_post', (id, post, _update, before) =>
    attempt(() => onSaved(id, post, before ?? undefined)),
  )
  hooks.addAction('deleted_post', (id, post) =>
    attempt(async () => {
      if (!isTracked(post)) return
      await index.forget([id])
      await refreshMenus(post)
      if (content.postTypes().get(post.type)?.hierarchical) await backfill.start()
    }),
  )
  const onMeta = (_metaId: unknown, id: number, key: string) =>
    DECISIVE_FIELDS.has(key) ? attempt(() => refresh([id])) : undefined
  hooks.addAction('added_post_meta', onMeta)
  hooks.addAction('updated_post_meta', onMeta)
  hooks.addAction('deleted_post_meta', onMeta)

  hooks.addAction('wp_update_nav_menu', () => attempt(async () => index.putNavigation(await navigationAddresses(host))))

  hooks.addAction('import_start', () => {
    imports++
  })
  hooks.addAction('import_end', async () => {
    imports--
    await attempt(() => backfill.start())
  })

  hooks.addAction('seo_settings_update:after', ({ noindexTypes }, previous) => {
    if (JSON.stringify(noindexTypes) === JSON.stringify(previous.noindexTypes)) return
    return attempt(() => backfill.recheckAll())
  })
  // An extension may have changed the filters.
  hooks.addAction('extension_state_changed', () => attempt(() => backfill.recheckAll()))
  hooks.addAction('updated_option', (name) => {
    if (name === 'blog_public') return attempt(() => backfill.recheckAll())
    if (name === 'site_settings' || name === 'nav_menu_locations')
      return attempt(async () => index.putNavigation(await navigationAddresses(host)))
  })
}
