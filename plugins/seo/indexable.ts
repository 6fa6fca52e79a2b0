import {
  type ArchiveDate,
  type ExtensionHost,
  isPublicSite,
  type Meta,
  type Post,
  type PostType,
  type Term,
  type User,
} from 'pentad'
import { readFields, type SeoFields } from './fields.ts'
import { isSameAddress, readAddress } from './head/address.ts'
import { canonicalOf } from './head/canonical.ts'
import { robotsOf } from './head/robots.ts'
import type { Subject } from './head/subject.ts'
import type { SeoSettings } from './settings.ts'

/**
 * Decides which pages search engines may index: the single source for sitemaps, `llms.txt`, IndexNow and orphaned
 * content. A page is indexable if it is public, not noindex, and its own canonical URL.
 */
export interface Indexable {
  isIndexable(post: Post): Promise<boolean>
  /**
   * The indexable posts, in their order: one query for any number, one more with attachments.
   * @param known their meta, if it was read already
   */
  posts(posts: readonly Post[], known?: ReadonlyMap<number, Meta>): Promise<Post[]>
  /** The terms with indexable archives. Whether they have posts is up to the caller. */
  terms(terms: readonly Term[]): Promise<Term[]>
  /** The authors with indexable archives. Whether they have posts is up to the caller. */
  authors(authors: readonly User[]): User[]
  /** The post types with indexable archives at `/<name>/`. */
  archives(types: readonly PostType[]): PostType[]
  /** The indexable date archives. Whether they have posts is up to the caller. */
  dates<Archive extends DatedArchive>(archives: readonly Archive[]): Archive[]
  /**
   * Whether the list of posts at `/` is indexable; `false` if a static front page replaces it, which `posts` covers.
   */
  home(): boolean
}

/** SEO fields that decide whether a page is indexable; changes are announced by the meta hooks. */
export const DECISIVE_FIELDS: ReadonlySet<string> = new Set(['_seo_noindex', '_seo_canonical'])

/** A date archive with its URL. */
export interface DatedArchive {
  readonly date: ArchiveDate
  /** Absolute URL. */
  readonly url: string
}

export function createIndexable(host: ExtensionHost, settings: () => SeoSettings): Indexable {
  const { content, options, site } = host
  const NO_FIELDS = readFields()
  const isPublicType = (type: string) => content.postTypes().get(type)?.public === true

  /** Whether a public page is indexable. */
  function mayKeep(subject: Subject, fields: SeoFields): boolean {
    const { noindex, none } = robotsOf(host, settings(), { subject, fields, before: {} })
    if (noindex === true || none === true) return false
    const canonical = canonicalOf(host, { subject, fields, before: subject.url })
    const address = canonical === null ? undefined : readAddress(canonical, site.url)
    return address === undefined || isSameAddress(address, subject.url)
  }

  function kindOf(post: Post): Subject['kind'] {
    const { showOnFront, pageOnFront, pageForPosts } = content.siteSettings()
    if (showOnFront === 'page' && post.id === pageOnFront) return 'front-page'
    if (showOnFront === 'page' && post.id === pageForPosts) return 'home'
    if (post.type === 'attachment') return 'attachment'
    return content.postTypes().get(post.type)?.hierarchical ? 'page' : 'single'
  }

  /** The public posts. Attachments are as public as their parent. */
  async function readable(posts: readonly Post[]): Promise<Post[]> {
    const open = posts.filter(({ type, status, password, path }) => {
      const isOpen = status === 'publish' || (status === 'inherit' && type === 'attachment')
      return isOpen && password === '' && path !== '' && isPublicType(type)
    })
    const candidates = await content.readable(open, null)
    const below = new Set(candidates.filter(({ status, parentId }) => status === 'inherit' && parentId > 0))
    if (below.size === 0) return candidates
    const parents = await content.posts.getMany([...new Set([...below].map(({ parentId }) => parentId))])
    return candidates.filter((post) => {
      const parent = below.has(post) ? parents.get(post.parentId) : undefined
      return parent === undefined || isPublicType(parent.type)
    })
  }

  const indexable: Indexable = {
    async isIndexable(post) {
      return (await indexable.posts([post])).length > 0
    },
    async posts(posts, known) {
      if (!isPublicSite(options)) return []
      const candidates = await readable(posts)
      if (candidates.length === 0) return []
      const ids = candidates.map(({ id }) => id)
      const meta = known ?? (await content.meta.of('post', ids))
      return candidates.filter((post) => {
        const subject = { kind: kindOf(post), url: content.link(post), post }
        return mayKeep(subject, readFields(meta.get(post.id)))
      })
    },
    async terms(terms) {
      if (!isPublicSite(options)) return []
      const candidates = terms.filter(({ taxonomy, path }) => {
        return path !== '' && content.taxonomies().get(taxonomy)?.public === true
      })
      if (candidates.length === 0) return []
      const meta = await content.meta.of(
        'term',
        candidates.map(({ id }) => id),
      )
      return candidates.filter((term) => {
        const kind = term.taxonomy === 'category' ? 'category' : term.taxonomy === 'post_tag' ? 'tag' : 'taxonomy'
        return mayKeep({ kind, url: content.link(term), term }, readFields(meta.get(term.id)))
      })
    },
    authors(authors) {
      if (!isPublicSite(options)) return []
      return authors.filter((author) => {
        return mayKeep({ kind: 'author', url: site.url + content.permalinks().author(author.slug), author }, NO_FIELDS)
      })
    },
    archives(types) {
      if (!isPublicSite(options)) return []
      return types.filter((postType) => {
        const isThere = postType.public && postType.hasArchive
        return isThere && mayKeep({ kind: 'post-type', url: `${site.url}/${postType.name}/`, postType }, NO_FIELDS)
      })
    },
    dates(archives) {
      if (!isPublicSite(options)) return []
      return archives.filter(({ date, url }) => mayKeep({ kind: 'date', url, date }, NO_FIELDS))
    },
    home() {
      const isList = content.siteSettings().showOnFront !== 'page'
      return isPublicSite(options) && isList && mayKeep({ kind: 'home', url: `${site.url}/` }, NO_FIELDS)
    },
  }
  return indexable
}
