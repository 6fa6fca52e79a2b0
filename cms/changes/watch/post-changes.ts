import type { Content, Post } from '../../content/types.ts'
import { joinPages, type Lists, type Pages, sitemapTags, withFeed } from './lists.ts'

/** The pages affected by a change of a post: outdated pages, and URLs that may show it. */
export interface PostChange {
  readonly wrong: Pages
  readonly mayShow: readonly string[]
}

const NOTHING: Pages = { tags: [], paths: [] }
/** Fields that determine the lists and positions of a post; feeds exclude posts with a password. */
const PLACE = ['type', 'date', 'password'] as const
/** Fields that determine its URL. */
const ADDRESS = ['slug', 'path', 'parentId'] as const
/** Fields that menus show or sort by. */
const IN_MENU = ['title', 'menuOrder', 'path', 'parentId', 'status', 'type'] as const
/** Searchable fields. */
const FOUND = ['title', 'content', 'excerpt'] as const
/** Children per query. */
const CHILDREN = 1000
const DEPTH = 20

/** Finds the pages affected by a change of a post. */
export interface PostChanges {
  /** Whether it is public. */
  isShown(post: Post): boolean
  /** `before` is `undefined` for a new post. Returns `undefined` if the post is not and was not public. */
  saved(before: Post | undefined, after: Post): Promise<PostChange | undefined>
  /** For a post that is about to be deleted. */
  deleted(post: Post): Promise<PostChange | undefined>
}

/** Types without their own page, shown by blocks. */
const IN_BLOCKS: ReadonlySet<string> = new Set(['wp_block', 'wp_navigation'])

export function createPostChanges({ content }: { content: Content }, lists: Lists): PostChanges {
  const isPublicType = (type: string) => content.postTypes().get(type)?.public === true
  const isShown = ({ type, status }: Post) =>
    isPublicType(type) && (status === 'publish' || (type === 'attachment' && status === 'inherit'))

  /** The post's own pages, pages that mention it, and lists of its type made by blocks. */
  function own(post: Post): Pages {
    const { path } = post
    return { tags: [`post-${post.id}`, `list-${post.type}`], paths: withFeed(path) }
  }

  function shownByBlocks({ id, type }: Post): Pages {
    return { tags: [`post-${id}`, `list-${type}`], paths: [] }
  }

  /** Adjacent posts, which link to it as previous or next. */
  async function adjacent(post: Post): Promise<Pages> {
    if (post.type !== 'post') return NOTHING
    const { previous, next } = await content.posts.neighbors(post)
    const posts = [previous, next].filter((neighbor) => neighbor !== undefined)
    return {
      tags: posts.map(({ id }) => `single-${id}`),
      paths: posts.flatMap(({ path }) => (path === '' ? [] : [path])),
    }
  }

  /** Menus that contain it, and menus that list pages automatically. */
  function menus(...posts: readonly Post[]): Pages {
    const lists = posts.filter(({ type }) => type === 'page').map(({ parentId }) => `menu-${parentId}`)
    return { tags: [...posts.map(({ id }) => `menu-post-${id}`), ...lists], paths: [] }
  }

  /** Child pages and attachments, whose URLs and visibility depend on it. */
  async function below(before: Post, after: Post): Promise<Pages> {
    const found = new Map<number, Post>()
    let parents = [after.id]
    for (let depth = 0; parents.length > 0 && depth < DEPTH; depth++) {
      const { items } = await content.posts.query({
        types: [...new Set([after.type, 'attachment'])],
        statuses: ['publish', 'inherit'],
        parents,
        limit: CHILDREN,
      })
      parents = items.filter(({ id }) => id !== after.id && !found.has(id)).map(({ id }) => id)
      for (const post of items) found.set(post.id, post)
    }
    if (found.size === 0) return NOTHING
    const posts = [...found.values()]
    const paths = posts.flatMap(({ path }) => {
      const isBelow = after.path !== '' && path.startsWith(after.path)
      return isBelow && before.path !== '' ? [path, before.path + path.slice(after.path.length)] : [path]
    })
    return {
      tags: [`menu-${after.id}`, ...posts.flatMap(({ id }) => [`post-${id}`, `menu-post-${id}`, `menu-${id}`])],
      paths: paths.filter((path) => path !== ''),
    }
  }

  /** An attachment shows in the gallery of the post it was uploaded to. */
  function gallery({ type, parentId }: Post): Pages {
    return { tags: type === 'attachment' && parentId > 0 ? [`post-${parentId}`] : [], paths: [] }
  }

  /** It is added to lists, removed or moved, including new posts. */
  async function moved(before: Post, after: Post): Promise<PostChange> {
    const [isNew, isGone] = [!isShown(before), !isShown(after)]
    const pages = await Promise.all([
      isNew ? NOTHING : lists.ofPost(before),
      isGone ? NOTHING : lists.ofPost(after),
      isGone ? NOTHING : adjacent(after),
      before.path !== after.path || isNew || isGone ? below(before, after) : NOTHING,
    ])
    const comments = after.commentCount > 0 ? ['comments'] : []
    const everywhere: Pages = { tags: ['404', ...comments], paths: comments.length > 0 ? ['/comments/feed/'] : [] }
    const wrong = joinPages(own(before), own(after), gallery(before), gallery(after), menus(before, after), everywhere)
    return { wrong: joinPages(wrong, ...pages), mayShow: [] }
  }

  /** Its position is unchanged; lists that show it have its tag. */
  async function edited(before: Post, after: Post): Promise<PostChange> {
    const tags = sitemapTags(after)
    if (differ(before, after, FOUND)) tags.push('search')
    if (before.sticky !== after.sticky) tags.push('home')
    const pages = [own(after), { tags, paths: [] }, gallery(after)]
    if (differ(before, after, IN_MENU)) pages.push(menus(before, after))
    if (differ(before, after, ADDRESS)) {
      pages.push(own(before), gallery(before), await below(before, after), { tags: ['404'], paths: [] })
    }
    if (before.authorId !== after.authorId) {
      const authors = await Promise.all([before, after].map(({ authorId }) => lists.ofAuthor(authorId)))
      pages.push(...authors, { tags: ['404'], paths: [] })
    }
    return { wrong: joinPages(...pages), mayShow: (await lists.ofPost(after)).paths }
  }

  return {
    isShown,
    async saved(before, after) {
      if (IN_BLOCKS.has(after.type)) return { wrong: shownByBlocks(after), mayShow: [] }
      if (!isShown(after) && !(before && isShown(before))) return undefined
      if (!before) return moved({ ...after, status: 'new' }, after)
      const isMoved = isShown(before) !== isShown(after) || differ(before, after, PLACE)
      return isMoved ? moved(before, after) : edited(before, after)
    },
    async deleted(post) {
      if (IN_BLOCKS.has(post.type)) return { wrong: shownByBlocks(post), mayShow: [] }
      return isShown(post) ? moved(post, { ...post, status: 'deleted' }) : undefined
    },
  }
}

function differ(before: Post, after: Post, fields: readonly (keyof Post)[]): boolean {
  return fields.some((field) => before[field] !== after[field])
}
