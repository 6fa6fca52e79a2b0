import type { Auth } from '../../../core/auth/types.ts'
import { feedPath } from '../../content/permalinks/path.ts'
import type { Content, Post, Term } from '../../content/types.ts'

/** Tags and paths of pages. */
export interface Pages {
  readonly tags: readonly string[]
  readonly paths: readonly string[]
}

/** Maximum depth of a hierarchy, against cycles. */
const DEPTH = 20
/** Terms per query. */
const TERMS = 1000

/** Finds the lists of the site that show a post, author or term. */
export interface Lists {
  /**
   * The lists that contain a public post: home, archives, feeds, sitemaps.
   * @param termIds its terms; default: the current ones
   */
  ofPost(post: Post, termIds?: readonly number[]): Promise<Pages>
  /** The archive of an author, and lists of authors. */
  ofAuthor(authorId: number): Promise<Pages>
  /** Archives of terms and of their ancestors, which list the same posts. */
  ofTerms(termIds: readonly number[]): Promise<Pages>
  /** All descendants of a term. */
  below(term: Term): Promise<Term[]>
}

export function createLists({ content, auth }: { content: Content; auth: Pick<Auth, 'users'> }): Lists {
  async function withAncestors(termIds: readonly number[]): Promise<Term[]> {
    const found = new Map<number, Term>()
    let wanted = [...new Set(termIds)]
    for (let depth = 0; wanted.length > 0 && depth < DEPTH; depth++) {
      for (const [id, term] of await content.terms.getMany(wanted)) found.set(id, term)
      const parents = [...found.values()].map(({ parentId }) => parentId)
      wanted = [...new Set(parents)].filter((id) => id > 0 && !found.has(id))
    }
    return [...found.values()]
  }

  async function ofTerms(termIds: readonly number[]): Promise<Pages> {
    if (termIds.length === 0) return { tags: [], paths: [] }
    const terms = await withAncestors(termIds)
    const taxonomies = new Set(terms.map(({ taxonomy }) => taxonomy))
    return {
      tags: [
        ...terms.map(({ id }) => `archive-term-${id}`),
        // Terms without posts are not in sitemaps.
        ...[...taxonomies].flatMap((taxonomy) => [`sitemap-taxonomies-${taxonomy}`, `terms-${taxonomy}`]),
      ],
      paths: terms.flatMap(({ path }) => withFeed(path)),
    }
  }

  /** Home and its feed; a static front page is not a list. */
  function homePaths(): Promise<string[]> | string[] {
    const { showOnFront, pageForPosts } = content.siteSettings()
    if (showOnFront !== 'page') return ['/', '/feed/']
    return content.posts.get(pageForPosts).then((page) => ['/feed/', ...(page?.path ? [page.path] : [])])
  }

  async function ofPost(post: Post, termIds?: readonly number[]): Promise<Pages> {
    const { id, type, authorId, date } = post
    const carried = termIds ?? Object.values((await content.terms.ofPosts([id])).get(id) ?? {}).flat()
    const terms = await ofTerms(carried)
    const tags = [...terms.tags, 'search', ...sitemapTags(post)]
    const paths = [...terms.paths]
    // Pages are not listed by date or author; any other type may be added there by `pre_get_posts`.
    if (type !== 'page' && type !== 'attachment') {
      const [author, home] = await Promise.all([ofAuthor(authorId), homePaths()])
      const [year = 0, month = 0, day = 0] = date.slice(0, 10).split('-').map(Number)
      const archive = `archive-date-${year}`
      tags.push('home', `archive-type-${type}`, ...author.tags)
      tags.push(archive, `${archive}-${month}`, `${archive}-${month}-${day}`)
      const dates = [{ year }, { year, month }, { year, month, day }].map(content.permalinks().date)
      paths.push(...home, ...dates)
      paths.push(...author.paths)
      if (content.postTypes().get(type)?.hasArchive) paths.push(...withFeed(content.permalinks().type(type)))
    }
    return { tags, paths }
  }

  async function ofAuthor(authorId: number): Promise<Pages> {
    const author = await auth.users.get(authorId)
    const paths = author ? withFeed(content.permalinks().author(author.slug)) : []
    return { tags: [`archive-author-${authorId}`, 'sitemap-users'], paths }
  }

  async function below(term: Term): Promise<Term[]> {
    const found = new Map<number, Term>()
    let level: readonly Term[] = [term]
    for (let depth = 0; level.length > 0 && depth < DEPTH; depth++) {
      const queries = level.map(({ id, taxonomy }) => content.terms.query({ taxonomy, parent: id, limit: TERMS }))
      const children = (await Promise.all(queries)).flatMap(({ items }) => items)
      level = children.filter(({ id }) => id !== term.id && !found.has(id))
      for (const child of level) found.set(child.id, child)
    }
    return [...found.values()]
  }

  return { ofPost, ofAuthor, ofTerms, below }
}

/** Tags of the sitemap that contains a post, and of the one with the last modification of the post list. */
export function sitemapTags({ type }: Post): string[] {
  return [`sitemap-posts-${type}`, ...(type === 'post' ? ['sitemap-home'] : [])]
}

/** The path of a page and its feed; empty if there is no page. */
export function withFeed(path: string): string[] {
  return path === '' ? [] : [path, feedPath(path)]
}

/** Merges pages. */
export function joinPages(...all: readonly Pages[]): Pages {
  return { tags: all.flatMap(({ tags }) => tags), paths: all.flatMap(({ paths }) => paths) }
}
