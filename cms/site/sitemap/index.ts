import type { Auth, User, UserQuery } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import type { Content, Post, PostQuery, TermQuery } from '../../content/types.ts'
import '../hooks.ts'
import { isPublicSite } from '../../content/public-site.ts'
import { readSitemapAddress, SITEMAP_INDEX, type SitemapAddress, sitemapPath } from './address.ts'
import { type SitemapEntry, writeSitemap } from './xml.ts'

/** Default maximum number of URLs in one sitemap. */
const MOST_URLS = 2000
const OBJECT_TYPES = { posts: 'post', taxonomies: 'term', users: 'user' } as const

type AsyncHooks = Pick<Hooks, 'applyFiltersAsync'>

/** The default sitemaps, as in WordPress since 5.5. */
export interface Sitemaps {
  /** The XML at a path with its cache tags; `undefined` if there is no sitemap. */
  respond(path: string, hooks: AsyncHooks): Promise<{ xml: string; tags: string[] } | undefined>
  /** Redirect target for other common sitemap paths. */
  redirect(path: string): string | undefined
  /** Sitemap lines of `robots.txt`. */
  robots(): string
}

/**
 * Sitemaps of public posts, pages and custom post types, of terms with posts, and of their authors. Attachments and
 * posts with a password are excluded; there are no sitemaps if `blog_public` is off.
 */
export function createSitemaps(parts: {
  content: Content
  auth: Auth
  options: Options
  hooks: Hooks
  origin: string
}): Sitemaps {
  const { content, auth, options, hooks, origin } = parts

  const isEnabled = () => hooks.applyFilters('wp_sitemaps_enabled', isPublicSite(options))

  const perMap = (of: keyof typeof OBJECT_TYPES) =>
    Math.max(1, Math.trunc(hooks.applyFilters('wp_sitemaps_max_urls', MOST_URLS, OBJECT_TYPES[of])))

  function placeOf(of: keyof typeof OBJECT_TYPES, number: number): { limit: number; offset: number } {
    const limit = perMap(of)
    return { limit, offset: (number - 1) * limit }
  }

  function typeNames(): readonly string[] {
    const types = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
    return hooks.applyFilters(
      'wp_sitemaps_post_types',
      types.map(({ name }) => name),
    )
  }

  function taxonomyNames(): readonly string[] {
    const taxonomies = [...content.taxonomies().values()].filter((taxonomy) => taxonomy.public)
    return hooks.applyFilters(
      'wp_sitemaps_taxonomies',
      taxonomies.map(({ name }) => name),
    )
  }

  async function posts(type: string, number: number, limited: AsyncHooks) {
    const query: PostQuery = { types: [type], statuses: ['publish'], hasPassword: false, orderBy: 'id', order: 'asc' }
    const asked = await limited.applyFiltersAsync('wp_sitemaps_posts_query_args', query, type)
    const { items, total } = await content.posts.query({ ...asked, ...placeOf('posts', number), readableBy: null })
    const entries = items.filter(({ path }) => path !== '').map(entryOf)
    const isHome = hasHome({ of: 'posts', name: type, number })
    return { entries: isHome ? [await homeEntry(), ...entries] : entries, total: isHome ? Math.max(1, total) : total }
  }

  /** The list of posts has no page of its own; WordPress lists it before the pages. */
  function hasHome(map: Exclude<SitemapAddress, { of: 'index' }>): boolean {
    const isFirst = map.of === 'posts' && map.name === 'page' && map.number === 1
    return isFirst && content.siteSettings().showOnFront === 'posts'
  }

  const entryOf = (post: Post): SitemapEntry => ({ url: content.link(post), modifiedGmt: post.modifiedGmt })

  async function homeEntry(): Promise<SitemapEntry> {
    const { items } = await content.posts.query({ orderBy: 'modified', hasPassword: false, readableBy: null, limit: 1 })
    return { url: `${origin}/`, modifiedGmt: items[0]?.modifiedGmt }
  }

  async function terms(taxonomy: string, number: number, limited: AsyncHooks) {
    const query: TermQuery = { taxonomy, hideEmpty: true, orderBy: 'id', order: 'asc' }
    const asked = await limited.applyFiltersAsync('wp_sitemaps_taxonomies_query_args', query, taxonomy)
    const { items, total } = await content.terms.query({ ...asked, ...placeOf('taxonomies', number) })
    const entries = items.filter(({ path }) => path !== '').map((term): SitemapEntry => ({ url: content.link(term) }))
    return { entries, total }
  }

  async function users(number: number, limited: AsyncHooks) {
    const query: UserQuery = { hasPublishedPosts: ['post'], orderBy: 'id', order: 'asc' }
    const asked = await limited.applyFiltersAsync('wp_sitemaps_users_query_args', query)
    const { items, total } = await auth.users.query({ ...asked, ...placeOf('users', number) })
    const shown = content.isReadByStatus() ? items : await readableAuthors(items)
    return {
      entries: shown.map(({ slug }): SitemapEntry => ({ url: origin + content.permalinks().author(slug) })),
      total,
    }
  }

  /** Authors with public posts: others have no page. */
  async function readableAuthors(authors: readonly User[]): Promise<User[]> {
    const shown: User[] = []
    for (const author of authors) {
      const query = { authors: [author.id], readableBy: null, limit: 1, noFoundRows: true }
      if ((await content.posts.query(query)).items.length > 0) shown.push(author)
    }
    return shown
  }

  function read(map: Exclude<SitemapAddress, { of: 'index' }>, limited: AsyncHooks) {
    if (map.of === 'users') return users(map.number, limited)
    const names = map.of === 'posts' ? typeNames() : taxonomyNames()
    if (!names.includes(map.name)) return { entries: [], total: 0 }
    return map.of === 'posts' ? posts(map.name, map.number, limited) : terms(map.name, map.number, limited)
  }

  /** The first non-empty sitemap of each kind, and those that follow it. */
  async function index(limited: AsyncHooks) {
    const firsts: Exclude<SitemapAddress, { of: 'index' }>[] = [
      ...typeNames().map((name) => ({ of: 'posts' as const, name, number: 1 })),
      ...taxonomyNames().map((name) => ({ of: 'taxonomies' as const, name, number: 1 })),
      { of: 'users', number: 1 },
    ]
    const entries: SitemapEntry[] = []
    for (const first of firsts) {
      const { total } = await read(first, limited)
      const maps = Math.ceil(total / perMap(first.of))
      for (let number = 1; number <= maps; number++) entries.push({ url: origin + sitemapPath({ ...first, number }) })
    }
    return { xml: writeSitemap('sitemapindex', entries), tags: firsts.map(tagOf) }
  }

  return {
    async respond(path, limited) {
      const map = readSitemapAddress(path)
      if (!map || !isEnabled()) return undefined
      if (map.of === 'index') return index(limited)
      const { entries } = await read(map, limited)
      if (entries.length === 0) return undefined
      return { xml: writeSitemap('urlset', entries), tags: hasHome(map) ? [tagOf(map), 'sitemap-home'] : [tagOf(map)] }
    },
    redirect: (path) => (path === '/sitemap.xml' && isEnabled() ? SITEMAP_INDEX : undefined),
    robots: () => (isEnabled() ? `\nSitemap: ${origin}${SITEMAP_INDEX}\n` : ''),
  }
}

/** `sitemap-posts-page`, `sitemap-users`: purged when an item is added, removed or changed. */
function tagOf(map: Exclude<SitemapAddress, { of: 'index' }>): string {
  return map.of === 'users' ? 'sitemap-users' : `sitemap-${map.of}-${map.name}`
}
