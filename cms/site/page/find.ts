import type { Auth, User } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import { withoutFormerFolder } from '../../content/permalinks/former-folders.ts'
import { feedPath, joinPath, pagedPath, samePath, splitPath } from '../../content/permalinks/path.ts'
import { imageInUrl, type PostPreviews } from '../../content/post-preview.ts'
import { pagesOfContent } from '../../content/render/post-pages.ts'
import type { Content, Post, PostQuery, PostType, Term } from '../../content/types.ts'
import { nextTurn } from '../../threads/yielding.ts'
import { type Address, type Route, readAddress } from '../address/route.ts'
import { setCurrentPage } from '../current-page.ts'
import type { PageDataCache } from '../view/page-data-cache.ts'
import { dateRange } from './archive-date.ts'
import { type Page, singleSlash, viewOf } from './page.ts'
import { kindOf, withAutosave } from './single.ts'
import { tagsOf } from './tags.ts'
import type { Visibility } from './visibility.ts'

/** Maximum number of posts in a feed; WordPress's default. */
const FEED_LENGTH = 10
/** Maximum number of cached lists, each with the texts of its posts. */
const LISTS = 20

/**
 * Loads the content of a route into the page: kind, status, posts and canonical `path`. Content that the user cannot
 * see is treated as missing. Returns the route that was found, which differs for requests into the subdirectory of an
 * imported site.
 */
export type Find = (page: Page, address: Address, hooks: Pick<Hooks, 'applyFiltersAsync'>) => Promise<Address>

export function createFind(parts: {
  content: Content
  auth: Auth
  options: Options
  visibility: Visibility
  pageData: PageDataCache
  postPreviews: PostPreviews
}): Find {
  const { content, auth, options, visibility, pageData, postPreviews } = parts
  const postAt = pageData.remember((path) => content.posts.getByPath(path))
  const termAt = pageData.remember((key) => {
    const [taxonomy, slug]: [string, string] = JSON.parse(key)
    return content.terms.getBySlug(taxonomy, slug)
  })
  const readList = (query: string) => content.posts.query({ ...JSON.parse(query), readableBy: null })
  const listOf = pageData.remember(readList, { entries: LISTS })
  /** Separate, so that searches for anything do not displace the lists. */
  const searchOf = pageData.remember(readList, { entries: LISTS })

  return async (page, asked, hooks) => {
    let address = asked
    /** Previous paths of posts are ignored. */
    let isOnlyNow = false
    for (const attempt of attempts()) {
      address = attempt.address
      isOnlyNow = attempt.isOnlyNow ?? false
      await findAt(address)
      if (page.status === 200) break
      address = asked
    }
    page.addTags(...tagsOf(page))
    return address

    /**
     * Current content takes precedence over the subdirectory of an imported site. If a path there is ambiguous, an
     * archive wins, as in WordPress; the path of a post there is one of its previous paths.
     */
    function attempts(): { address: Address; isOnlyNow?: boolean }[] {
      const { path, query } = page.request
      const below = withoutFormerFolder(options, path)
      if (below === undefined) return [{ address: asked }]
      const there = { address: readAddress(below, query, content) }
      const last = there.address.route.to === 'path' ? [{ address: asked }, there] : [there, { address: asked }]
      return [{ address: asked, isOnlyNow: true }, ...last]
    }

    async function findAt({ route, pageNumber, feed, endpointOf }: Address): Promise<void> {
      page.pageNumber = pageNumber
      if (endpointOf && !(await isTaken(route))) await findForm(endpointOf.route, endpointOf.feed)
      if (page.status !== 200) await findForm(route, feed)
    }

    async function findForm(route: Route, feed: boolean): Promise<void> {
      page.feed = feed
      page.search = undefined
      page.status = 404
      await findRoute(route)
      if (page.status === 200) return
      page.kind = '404'
      page.path = singleSlash(page.request.path)
      page.posts = []
      page.post = page.term = page.postType = page.author = page.date = undefined
      page.totalPages = page.total = 0
    }

    /** Whether a term or post has, or had, exactly this path. */
    async function isTaken(route: Route): Promise<boolean> {
      const path = 'path' in route ? route.path : undefined
      if (path === undefined) return false
      const term = route.to === 'term' ? await termAt(JSON.stringify([route.taxonomy, route.slug])) : undefined
      if (term && samePath(path, joinPath(splitPath(term.path) ?? []))) return true
      if (await postAt(path)) return true
      return !isOnlyNow && (await content.posts.getByFormerPath(path)) !== undefined
    }

    function findRoute(route: Route): Promise<void> | void {
      switch (route.to) {
        case 'home':
          return findHome()
        case 'path':
          return findAtPath(route.path)
        case 'post':
          return findById(route)
        case 'term':
          return findTerm(route)
        case 'term-id':
          return content.terms.get(route.id).then((term) => term && listTerm(term))
        case 'archive':
          return listType(content.postTypes().get(route.type))
        case 'author':
        case 'author-id':
          return findAuthor(route)
        case 'date':
          return findDate(route)
        case 'search':
          return findSearch(route.words, route.base)
        case 'comments':
          return found('comments', '/comments/')
        case 'nowhere':
          return
      }
    }

    /** `base` is the canonical path of the first page. */
    function found(kind: Page['kind'], base: string): void {
      page.kind = kind
      page.status = 200
      // A page of a post is determined by the post; that of a list by its number.
      page.path = page.feed ? feedPath(base) : page.post && kind !== 'home' ? base : pagedPath(base, page.pageNumber)
      setCurrentPage(viewOf(page))
    }

    async function list(query: PostQuery): Promise<void> {
      const perPage = page.feed ? FEED_LENGTH : Math.max(1, content.siteSettings().postsPerPage)
      const statuses = await visibility.listStatuses(page.user)
      const asked: PostQuery = {
        statuses,
        limit: perPage,
        offset: (page.pageNumber - 1) * perPage,
        // Feed readers cannot enter a password, and a search must not reveal protected content.
        ...(page.feed || page.search !== undefined ? { hasPassword: false } : {}),
        ...query,
      }
      const filtered = await hooks.applyFiltersAsync('pre_get_posts', asked, viewOf(page))
      // The same for all visitors, unless an extension decides.
      const isShared = filtered === asked && !page.user && content.isReadByStatus()
      const { items, total } = isShared
        ? await (page.search === undefined ? listOf : searchOf)(JSON.stringify(asked))
        : await content.posts.query({ ...filtered, readableBy: page.user })
      page.posts = items
      page.total = total
      page.totalPages = Math.ceil(total / perPage)
      // An empty first page is an empty list; an empty later page does not exist.
      if (page.pageNumber > 1 && items.length === 0) page.status = 404
      page.isList = true
    }

    async function findHome(): Promise<void> {
      const { showOnFront, pageOnFront } = content.siteSettings()
      const front = showOnFront === 'page' && !page.feed ? await content.posts.get(pageOnFront) : undefined
      if (front && front.status === 'publish') return showPost(front)
      found('home', '/')
      return list({ stickyFirst: !page.feed })
    }

    async function findAtPath(path: string): Promise<void> {
      const found = await postAt(path)
      const paged = found ? undefined : await pageOfPost(path)
      if (paged) return showPost(paged.post, paged.number)
      const post = found ?? (await formerPost(path))
      if (post) return showPost(post)
    }

    /** `/slug/2/` is the second page of a paginated post. */
    async function pageOfPost(path: string): Promise<{ post: Post; number: number } | undefined> {
      const [, whole = '', digits = ''] = /^(\/.+\/)([1-9]\d{0,3})\/$/.exec(path) ?? []
      const number = Number(digits)
      if (number < 2) return undefined
      const post = await postAt(whole)
      return post && number <= pagesOfContent(post.content).length ? { post, number } : undefined
    }

    /** The post with this previous path, or with its page: `/slug/2/` is the second page. */
    async function formerPost(path: string): Promise<Post | undefined> {
      if (isOnlyNow) return undefined
      await nextTurn()
      const former = await content.posts.getByFormerPath(path)
      if (former) return former
      const whole = /^(\/.+\/)\d+\/$/.exec(path)?.[1]
      const paged =
        whole === undefined ? undefined : ((await postAt(whole)) ?? (await content.posts.getByFormerPath(whole)))
      await nextTurn()
      return paged ?? content.posts.getByOldSlug(path.split('/').at(-2) ?? '')
    }

    async function findById({ id, address }: Extract<Route, { to: 'post' }>): Promise<void> {
      const post = (await content.posts.get(id)) ?? (await content.posts.getByFormerPath(address))
      if (post) return showPost(post)
    }

    async function findTerm({ taxonomy, slug, path }: Extract<Route, { to: 'term' }>): Promise<void> {
      const term = await termAt(JSON.stringify([taxonomy, slug]))
      if (term) return listTerm(term)
      if (path !== undefined) return findAtPath(path)
    }

    async function showPost(post: Post, number = 1): Promise<void> {
      const preview = address.preview && page.user !== null && (await auth.can(page.user, 'edit_post', post.id))
      if (!(await visibility.mayRead(post, page.user, preview))) return
      const { showOnFront, pageOnFront, pageForPosts } = content.siteSettings()
      const isPublic = post.status === 'publish' || post.status === 'inherit'
      if (showOnFront === 'page' && post.id === pageForPosts && isPublic) {
        page.post = post
        found('home', post.path)
        return list({ stickyFirst: !page.feed })
      }
      const isFront = showOnFront === 'page' && post.id === pageOnFront && isPublic
      page.preview = preview
      const shown = preview && page.user ? await withUnsaved(post, page.user) : post
      page.post = shown
      page.posts = [shown]
      page.total = 1
      if (isFront) {
        page.pageNumber = page.totalPages = 1
        return found('front-page', '/')
      }
      page.pageNumber = number
      page.totalPages = pagesOfContent(shown.content).length
      const path = post.path || page.path
      found(kindOf(post, content), number > 1 ? `${path}${number}/` : path)
    }

    /** The post with the viewer's unsaved changes: those in the preview, or the text of the autosave and the image in the URL. */
    async function withUnsaved(post: Post, user: User): Promise<Post> {
      const stored = postPreviews.of(page)
      if (stored?.post.id === post.id) page.unsaved = stored
      else {
        const shown = await withAutosave(post, user.id, content)
        page.unsaved = { post: shown, meta: imageInUrl(page.request.query), terms: {} }
      }
      return page.unsaved.post
    }

    async function listTerm(term: Term): Promise<void> {
      const taxonomy = content.taxonomies().get(term.taxonomy)
      if (!taxonomy?.public) return
      page.term = term
      found(term.taxonomy === 'category' ? 'category' : term.taxonomy === 'post_tag' ? 'tag' : 'taxonomy', term.path)
      await list({
        types: taxonomy.types.filter((type) => type !== 'attachment' && content.postTypes().get(type)?.public),
        terms: { [term.taxonomy]: { ids: [term.id], withChildren: taxonomy.hierarchical } },
      })
    }

    async function listType(type: PostType | undefined): Promise<void> {
      if (!type) return
      page.postType = type
      found('post-type', content.permalinks().type(type.name))
      await list({ types: [type.name] })
    }

    /** An author without public posts is not revealed. */
    async function findAuthor(route: Extract<Route, { to: 'author' | 'author-id' }>): Promise<void> {
      const author = route.to === 'author' ? await auth.users.getBySlug(route.slug) : await auth.users.get(route.id)
      if (!author) return
      page.author = author
      found('author', content.permalinks().author(author.slug))
      await list({ authors: [author.id] })
      if (page.total === 0) page.status = 404
    }

    /** A post slug may look like a date (WordPress's `wp_resolve_numeric_slug_conflicts`). */
    async function findDate({ date, path }: Extract<Route, { to: 'date' }>): Promise<void> {
      const post = path === undefined ? undefined : await postAt(path)
      if (post) return showPost(post)
      const range = dateRange(date, content.siteSettings().startOfWeek)
      if (!range) return path === undefined ? undefined : findAtPath(path)
      page.date = date
      found('date', content.permalinks().date(date))
      await list(range)
      if (page.total === 0) page.status = 404
    }

    async function findSearch(words: string, base: string): Promise<void> {
      page.search = words
      found('search', base)
      if (words === '') return
      const types = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
      await list({ types: types.map((type) => type.name), search: words, orderBy: 'relevance' })
    }
  }
}
