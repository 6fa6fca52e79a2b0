import { type ExtensionHost, feedPath, type Post, type Term } from 'pentad'

/** Tags and addresses of pages; addresses are paths of this site. */
export interface Pages {
  readonly tags: readonly string[]
  readonly paths: readonly string[]
}

/** Deeper than any real hierarchy: what ends a circle of parents. */
const DEPTH = 20
/** Terms that are looked up at once. */
const TERMS = 1000

/** Which lists of the site show what. */
export interface Lists {
  /**
   * The lists that a public post stands in: home, archives, feeds, sitemaps.
   * @param termIds its terms; left out, those it has now
   */
  ofPost(post: Post, termIds?: readonly number[]): Promise<Pages>
  /** The archive of an author, and where authors are listed. */
  ofAuthor(authorId: number): Promise<Pages>
  /** Archives of terms, and of the terms above them, which list the same posts. */
  ofTerms(termIds: readonly number[]): Promise<Pages>
  /** Every term below a term. */
  below(term: Term): Promise<Term[]>
}

export function createLists({ content, auth }: Pick<ExtensionHost, 'content' | 'auth'>): Lists {
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
        // A term without posts is in no sitemap.
        ...[...taxonomies].flatMap((taxonomy) => [`sitemap-taxonomies-${taxonomy}`, `terms-${taxonomy}`]),
      ],
      paths: terms.flatMap(({ path }) => withFeed(path)),
    }
  }

  /** Home and its feed; a static front page is no list. */
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
    // Pages stand in menus and in no list by date or author; whatever else there is may be let into them by `pre_get_posts`.
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

/** The map that has a post, and the one that says when the list of posts was changed last. */
export function sitemapTags({ type }: Post): string[] {
  return [`sitemap-posts-${type}`, ...(type === 'post' ? ['sitemap-home'] : [])]
}

/** A page and its feed; nothing where there is no page. */
export function withFeed(path: string): string[] {
  return path === '' ? [] : [path, feedPath(path)]
}

/** All of them together. */
export function joinPages(...all: readonly Pages[]): Pages {
  return { tags: all.flatMap(({ tags }) => tags), paths: all.flatMap(({ paths }) => paths) }
}
