import type { ExtensionHost } from 'pentad'
import { DECISIVE_FIELDS } from '../indexable.ts'

/** Meta that decides whether a page is in a sitemap, or which images are. */
const IN_MAPS: ReadonlySet<string> = new Set([...DECISIVE_FIELDS, '_thumbnail_id'])

/**
 * Purges cached sitemaps when meta changes without a save of its post or term, as in a migration. Saves are handled by
 * the page cache.
 */
export function purgeOnMeta({ content, hooks }: Pick<ExtensionHost, 'content' | 'hooks'>): void {
  const purge = (tag: string) =>
    hooks.doAction('purge_pages', { tags: [tag], reason: 'A page was added to or removed from the sitemaps.' })

  async function onPost(_id: unknown, postId: number, key: string): Promise<void> {
    const post = IN_MAPS.has(key) ? await content.posts.get(postId) : undefined
    if (post) purge(`sitemap-posts-${post.type}`)
  }
  async function onTerm(_id: unknown, termId: number, key: string): Promise<void> {
    const term = IN_MAPS.has(key) ? await content.terms.get(termId) : undefined
    if (term) purge(`sitemap-taxonomies-${term.taxonomy}`)
  }
  for (const name of ['added_post_meta', 'updated_post_meta', 'deleted_post_meta'] as const)
    hooks.addAction(name, onPost)
  for (const name of ['added_term_meta', 'updated_term_meta', 'deleted_term_meta'] as const)
    hooks.addAction(name, onTerm)
}
