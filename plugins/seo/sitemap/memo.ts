import { LRUCache } from 'lru-cache'
import { type ExtensionHost, isPublicSite } from 'pentad'
import type { SeoSettings } from '../settings.ts'

/** Filters whose callbacks may decide about pages or their URLs by anything: nothing is reused while there is one. */
const DECIDING = [
  ...(['seo_robots', 'seo_canonical', 'wp_sitemaps_max_urls'] as const),
  ...(['term_link', 'post_link', 'page_link', 'attachment_link', 'post_type_link'] as const),
]

/** Results of one memo, unless it is limited further; each list of pages, and each index, is one. */
const MOST_NAMES = 200

/** The result of `work`, reused under this name while content and settings are the same. */
export type Memo<Result> = (name: string, work: () => Promise<Result>) => Promise<Result>

/** Listing all pages takes time in proportion to the site, so the lists of sitemaps are computed once for each version of content. */
export function createMemo<Result>(
  { content, hooks, options }: Pick<ExtensionHost, 'content' | 'hooks' | 'options'>,
  settings: () => SeoSettings,
  max = MOST_NAMES,
): Memo<Result> {
  const known = new LRUCache<string, { readonly version: string; readonly result: Promise<Result> }>({ max })
  const isExact = () => content.isReadByStatus() && !DECIDING.some((name) => hooks.hasFilter(name))

  async function version(): Promise<string> {
    const types = [...content.postTypes().values()].map((type) => [type.name, type.public, type.hasArchive])
    const taxonomies = [...content.taxonomies().values()].map((taxonomy) => [taxonomy.name, taxonomy.types])
    const site = [isPublicSite(options), content.siteSettings(), settings(), types, taxonomies]
    return JSON.stringify([await content.version(), site])
  }

  return async (name, work) => {
    if (!isExact()) return work()
    const current = await version()
    const before = known.get(name)
    if (before?.version === current) return before.result
    const result = work()
    known.set(name, { version: current, result })
    // A failure is not reused.
    result.catch(() => known.delete(name))
    return result
  }
}
