import type { ExtensionHost, Taxonomy } from 'pentad'
import { filtered } from '../filtered.ts'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import { createAuthorMaps } from './author-maps.ts'
import { createDateMaps } from './date-maps.ts'
import { createMemo } from './memo.ts'
import type { Dated } from './paged-maps.ts'
import { createPostMaps } from './post-maps.ts'
import { createTermMaps } from './term-maps.ts'
import type { Maps, SitemapPart, SitemapUrl } from './types.ts'

/** Sitemaps of each kind of page, by the name in their URL: `posts-page`, `taxonomies-category`, `users`. */
export function createAllMaps(
  host: ExtensionHost,
  parts: { settings: () => SeoSettings; indexable: Indexable; mostUrls: number },
): () => Map<string, Maps> {
  const { content, hooks, log } = host
  const { settings, indexable } = parts
  const lists = createMemo<SitemapPart[]>(host, settings)
  const urls = createMemo<SitemapUrl[]>(host, settings)
  const authors = createMemo<Dated[]>(host, settings)

  const mostUrls = (of: 'post' | 'term' | 'user') => {
    const result = hooks.applyFilters('wp_sitemaps_max_urls', parts.mostUrls, of)
    const isValid = (one: unknown): one is number => typeof one === 'number' && !Number.isNaN(one)
    const asked = filtered(log, 'wp_sitemaps_max_urls', { before: parts.mostUrls, result, isValid })
    return Math.min(parts.mostUrls, Math.max(1, Math.trunc(asked)))
  }

  /** Whether noindex pages are checked individually, because a filter may allow some. */
  const mayBeLetIn = () => hooks.hasFilter('seo_robots')

  function postTypes(): readonly string[] {
    const types = [...content.postTypes().values()].filter((type) => type.public)
    const before = types.map(({ name }) => name)
    const result = hooks.applyFilters('wp_sitemaps_post_types', before)
    return filtered(log, 'wp_sitemaps_post_types', { before, result, isValid: areNames })
  }

  function taxonomies(): Taxonomy[] {
    const all = [...content.taxonomies().values()].filter((taxonomy) => taxonomy.public)
    const before = all.map(({ name }) => name)
    const result = hooks.applyFilters('wp_sitemaps_taxonomies', before)
    const names = filtered(log, 'wp_sitemaps_taxonomies', { before, result, isValid: areNames })
    return all.filter(({ name }) => names.includes(name))
  }

  return () => {
    const { noindexTypes, noindexDates, sitemapImages } = settings()
    const maps = new Map<string, Maps>()
    for (const type of postTypes()) {
      const posts = !noindexTypes.includes(type) || mayBeLetIn()
      const images = sitemapImages === 'on'
      maps.set(
        `posts-${type}`,
        createPostMaps(host, { type, indexable, posts, images, mostUrls: mostUrls('post'), memo: lists }),
      )
    }
    for (const taxonomy of taxonomies()) {
      const name = `taxonomies-${taxonomy.name}`
      maps.set(name, createTermMaps(host, { taxonomy, indexable, mostUrls: mostUrls('term'), memo: urls }))
    }
    maps.set('users', createAuthorMaps(host, { indexable, mostUrls: mostUrls('user'), memo: authors }))
    if (noindexDates === 'off' || mayBeLetIn())
      maps.set('dates', createDateMaps(host, { indexable, mostUrls: mostUrls('post'), memo: urls }))
    return maps
  }
}

const areNames = (result: unknown): result is string[] =>
  Array.isArray(result) && result.every((one) => typeof one === 'string')
