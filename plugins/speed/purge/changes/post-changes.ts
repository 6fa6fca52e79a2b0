import type { ExtensionHost, Post } from 'pentad'
import { joinPages, type Lists, type Pages, sitemapTags, withFeed } from './lists.ts'

/** What a change of a post takes away: pages that are no longer right, and addresses that may show it. */
export interface PostChange {
  readonly wrong: Pages
  readonly mayShow: readonly string[]
}

const NOTHING: Pages = { tags: [], paths: [] }
/** Fields by which a post stands in all its lists, or somewhere else in them; feeds leave out what has a password. */
const PLACE = ['type', 'date', 'password'] as const
/** Fields that make its address. */
const ADDRESS = ['slug', 'path', 'parentId'] as const
/** Fields that a menu shows or is sorted by. */
const IN_MENU = ['title', 'menuOrder', 'path', 'parentId', 'status', 'type'] as const
/** Fields by which a search finds it. */
const FOUND = ['title', 'content', 'excerpt'] as const
/** Children that are looked up at once. */
const CHILDREN = 1000
const DEPTH = 20

/** Says which pages a change of a post makes wrong. */
export interface PostChanges {
  /** Whether everybody may see it. */
  isShown(post: Post): boolean
  /** `before` is `undefined` for a new post. `undefined` if nobody could see it before nor can now. */
  saved(before: Post | undefined, after: Post): Promise<PostChange | undefined>
  /** Of a post that is about to go and still there. */
  deleted(post: Post): Promise<PostChange | undefined>
}

/** Types that have no page of their own; blocks show what is in them. */
const IN_BLOCKS: ReadonlySet<string> = new Set(['wp_block', 'wp_navigation'])

export function createPostChanges({ content }: Pick<ExtensionHost, 'content'>, lists: Lists): PostChanges {
  const isPublicType = (type: string) => content.postTypes().get(type)?.public === true
  const isShown = ({ type, status }: Post) =>
    isPublicType(type) && (status === 'publish' || (type === 'attachment' && status === 'inherit'))

  /** The post's own pages, everything that names it, and the lists that blocks make of posts of its type in any order. */
  function own(post: Post): Pages {
    const { path } = post
    return { tags: [`post-${post.id}`, `list-${post.type}`], paths: withFeed(path) }
  }

  function shownByBlocks({ id, type }: Post): Pages {
    return { tags: [`post-${id}`, `list-${type}`], paths: [] }
  }

  /** Pages that link to it as the one before or after them, from now on. */
  async function beside(post: Post): Promise<Pages> {
    if (post.type !== 'post') return NOTHING
    const { previous, next } = await content.posts.neighbours(post)
    const posts = [previous, next].filter((neighbour) => neighbour !== undefined)
    return {
      tags: posts.map(({ id }) => `single-${id}`),
      paths: posts.flatMap(({ path }) => (path === '' ? [] : [path])),
    }
  }

  /** Where a menu shows its name, and where pages stand in one by themselves. */
  function menus(...posts: readonly Post[]): Pages {
    const lists = posts.filter(({ type }) => type === 'page').map(({ parentId }) => `menu-${parentId}`)
    return { tags: [...posts.map(({ id }) => `menu-post-${id}`), ...lists], paths: [] }
  }

  /** Pages and attachments below it, whose addresses and visibility follow it. */
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

  /** It joins lists, leaves them or changes its place: also where there was no page until now. */
  async function moved(before: Post, after: Post): Promise<PostChange> {
    const [isNew, isGone] = [!isShown(before), !isShown(after)]
    const pages = await Promise.all([
      isNew ? NOTHING : lists.ofPost(before),
      isGone ? NOTHING : lists.ofPost(after),
      isGone ? NOTHING : beside(after),
      before.path !== after.path || isNew || isGone ? below(before, after) : NOTHING,
    ])
    const comments = after.commentCount > 0 ? ['comments'] : []
    const everywhere: Pages = { tags: ['404', ...comments], paths: comments.length > 0 ? ['/comments/feed/'] : [] }
    const wrong = joinPages(own(before), own(after), gallery(before), gallery(after), menus(before, after), everywhere)
    return { wrong: joinPages(wrong, ...pages), mayShow: [] }
  }

  /** It stands where it stood; lists that show it have its tag. */
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
