import type { Hooks } from '../../../core/hooks/types.ts'
import { plainAddress } from '../posts/paths.ts'
import type { Post, SiteSettings, Term } from '../types.ts'

/** Builds the absolute URLs of posts and terms, through WordPress's filters `get_permalink` and `get_term_link`. */
export function createLink(parts: {
  hooks: Pick<Hooks, 'applyFilters'>
  settings: () => Pick<SiteSettings, 'showOnFront' | 'pageOnFront'>
  /** Without a trailing slash. */
  siteUrl: string
}): (of: Post | Term) => string {
  const { hooks, settings, siteUrl } = parts

  function addressOf(post: Post): string {
    const { showOnFront, pageOnFront } = settings()
    if (showOnFront === 'page' && pageOnFront === post.id) return `${siteUrl}/`
    return siteUrl + (post.path === '' ? plainAddress(post) : post.path)
  }

  return (of) => {
    if ('taxonomy' in of) {
      const plain = `/?taxonomy=${encodeURIComponent(of.taxonomy)}&term=${of.slug}`
      return hooks.applyFilters('term_link', siteUrl + (of.path === '' ? plain : of.path), of, of.taxonomy)
    }
    const url = addressOf(of)
    if (of.type === 'post') return hooks.applyFilters('post_link', url, of)
    if (of.type === 'page') return hooks.applyFilters('page_link', url, of.id)
    if (of.type === 'attachment') return hooks.applyFilters('attachment_link', url, of.id)
    return hooks.applyFilters('post_type_link', url, of)
  }
}
