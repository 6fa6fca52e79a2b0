import { z } from 'zod'
import { cleanPostHtml, cleanTitle } from '../content/sanitize-post.ts'
import type { NewPost, Post } from '../content/types.ts'
import { createBudget } from './budget.ts'
import { isPublicMeta } from './guest-readers.ts'
import type { MethodParts } from './method-parts.ts'
import { PermissionError } from './permissions.ts'
import { jsonValue, toGuest } from './values.ts'

/** Meta key with the ID of the extension that created a post. Keys that begin with `_` cannot be written over REST. */
export const CREATED_BY = '_created_by_extension'

/** Posts that an extension may create within an hour. */
const MOST_POSTS = 1_000
/** Longest HTML that is sanitized on the thread of the site, in characters. */
const MOST_HTML = 256 * 1024

/** As on the site, a post with an ID of 0 or less is not found. */
const id = z.int()
const newPost = z.strictObject({
  ...{
    type: z.string().max(60).optional(),
    status: z.enum(['publish', 'draft', 'pending', 'private', 'future', 'trash']).optional(),
  },
  ...{ title: z.string().max(10_000).optional(), content: z.string().max(1_000_000).optional() },
  ...{
    excerpt: z.string().max(100_000).optional(),
    slug: z.string().max(200).optional(),
    parentId: z.int().min(0).optional(),
  },
  ...{ date: z.string().max(30).optional(), menuOrder: z.int().optional() },
})
const query = z.strictObject({
  ...{ types: z.array(z.string()).max(30).optional(), statuses: z.array(z.string()).max(10).optional() },
  ...{ include: z.array(id).max(100).optional(), exclude: z.array(id).max(100).optional() },
  ...{ slugs: z.array(z.string()).max(100).optional(), parents: z.array(z.int()).max(100).optional() },
  ...{
    search: z.string().max(500).optional(),
    after: z.string().max(30).optional(),
    before: z.string().max(30).optional(),
  },
  ...{
    orderBy: z.enum(['date', 'modified', 'id', 'title', 'slug', 'menu_order']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
  },
  ...{ limit: z.int().min(0).max(100).optional(), offset: z.int().min(0).max(100_000).optional() },
})
const metaKey = z.string().min(1).max(255).regex(/^[^_]/, 'Keys that begin with _ are internal.')
const onlyPosts = z.literal('post')

/** The methods for posts and their meta. */
export function contentMethods({ host, granted, usage }: MethodParts) {
  const { content } = host
  const { read, write, types = [] } = granted.content ?? {}

  const budget = createBudget(MOST_POSTS, 3_600_000)
  const isOwn = async (post: Post) => (await content.meta.get('post', post.id, CREATED_BY)) === host.id

  async function mayRead(post: Post): Promise<boolean> {
    if (read === undefined) throw new PermissionError('Reading content', 'content.read')
    if (!types.includes(post.type)) return false
    usage.use(`read ${read}`)
    if (read === 'all' || (read === 'own' && (await isOwn(post)))) return true
    return post.status === 'publish' && post.password === '' && (await content.canRead(post, null))
  }

  async function readable(given: unknown): Promise<Post | undefined> {
    const post = await content.posts.get(id.parse(given))
    return post && (await mayRead(post)) ? post : undefined
  }

  /** @throws PermissionError, or Error if it may not change that post */
  async function writable(given: unknown): Promise<Post> {
    if (write === undefined) throw new PermissionError('Changing content', 'content.write')
    const post = await content.posts.get(id.parse(given))
    const isAllowed = post && types.includes(post.type) && (write === 'all' || (await isOwn(post)))
    if (!isAllowed) throw new Error(`The extension may not change the post ${id.parse(given)}.`)
    usage.use(`write ${write}`)
    return post
  }

  function checkedPost(given: unknown): NewPost {
    const post = newPost.parse(given)
    if (post.type !== undefined && !types.includes(post.type))
      throw new PermissionError(`The type ${post.type}`, 'content.types')
    if (granted.unfilteredHtml) return post
    if ((post.content?.length ?? 0) > MOST_HTML) throw new Error('The HTML of a post can be at most 256 KB.')
    return {
      ...post,
      ...(post.title !== undefined && { title: cleanTitle(post.title) }),
      ...(post.content !== undefined && { content: cleanPostHtml(post.content) }),
      ...(post.excerpt !== undefined && { excerpt: cleanPostHtml(post.excerpt) }),
    }
  }

  /** As the guest sees a post that it may read. */
  const shown = (post: Post | undefined) => toGuest(post, () => true)
  const idOf = (given: unknown) => z.object({ id }).parse(given).id

  return {
    'content.posts.get': async (given: unknown) => shown(await readable(given)),
    'content.posts.query': async (given: unknown) => {
      if (read === undefined) throw new PermissionError('Reading content', 'content.read')
      const asked = query.parse(given)
      const allowed = (asked.types ?? types).filter((type) => types.includes(type))
      if (allowed.length === 0) return { items: [], total: 0 }
      usage.use(`read ${read}`)
      const all = { ...asked, types: allowed }
      const isPublic = read === 'published' || (asked.statuses ?? ['publish']).every((status) => status === 'publish')
      // The database counts and searches only what the extension may read, so that the result tells nothing about other posts.
      const restricted = isPublic
        ? { ...all, statuses: ['publish'], hasPassword: false, readableBy: null }
        : { ...all, meta: { [CREATED_BY]: host.id } }
      const { items, total } = await content.posts.query(read === 'all' ? all : restricted)
      const found = await Promise.all(items.map(async (post) => ((await mayRead(post)) ? [shown(post)] : [])))
      return { items: found.flat(), total }
    },
    'content.posts.insert': async (given: unknown) => {
      if (write === undefined) throw new PermissionError('Changing content', 'content.write')
      const post = checkedPost(given)
      if (!types.includes(post.type ?? 'post'))
        throw new PermissionError(`The type ${post.type ?? 'post'}`, 'content.types')
      budget.take(`The extension may create ${MOST_POSTS} posts an hour.`)
      usage.use(`write ${write}`)
      return shown(await content.posts.insert({ ...post, meta: { [CREATED_BY]: [host.id] } }))
    },
    'content.posts.update': async (given: unknown, changes: unknown) => {
      const post = await writable(given)
      return shown(await content.posts.update(post.id, checkedPost(changes)))
    },
    'content.posts.delete': async (given: unknown) => {
      const post = await writable(given)
      return shown(await content.posts.delete(post.id))
    },
    'content.canRead': async (given: unknown, user: unknown) => {
      const post = await readable(idOf(given))
      if (post === undefined) return false
      const reader = user === null || user === undefined ? null : await host.auth.users.get(idOf(user))
      return content.canRead(post, reader ?? null)
    },
    'content.publicText': async (given: unknown) => {
      const post = await readable(idOf(given))
      return post === undefined ? '' : content.publicText(post)
    },
    'content.meta.get': async (kind: unknown, given: unknown, key: unknown) => {
      onlyPosts.parse(kind)
      const post = await readable(given)
      const name = metaKey.parse(key)
      const isShown =
        post && (read === 'all' || isPublicMeta(host, post, name) || (read === 'own' && (await isOwn(post))))
      return isShown ? content.meta.get('post', post.id, name) : undefined
    },
    'content.meta.set': async (kind: unknown, given: unknown, key: unknown, ...values: readonly unknown[]) => {
      onlyPosts.parse(kind)
      const post = await writable(given)
      await content.meta.set('post', post.id, metaKey.parse(key), ...z.array(jsonValue).max(100).parse(values))
    },
    'content.meta.delete': async (kind: unknown, given: unknown, key: unknown) => {
      onlyPosts.parse(kind)
      await content.meta.delete('post', (await writable(given)).id, metaKey.parse(key))
    },
  }
}
