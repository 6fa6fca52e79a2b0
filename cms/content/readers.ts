import type { HostAuth } from '../../core/auth/host-auth.ts'
import type { User } from '../../core/auth/types.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { asVisitor } from '../../core/http/request-context.ts'
import type { Post, Posts, PostType } from './types.ts'

/** Maximum depth of attachments of attachments. */
const DEPTH = 5

/** Filters that may close a published post. */
const DECIDING = ['map_meta_cap', 'read_post_caps', 'user_has_cap'] as const

/**
 * WordPress maps `read_post` of a published post to `read`, which anonymous visitors lack, and never checks it for them; here everyone has
 * it.
 */
const EVERYBODY = { read: true }

/** The only place that decides who can read a post. Post passwords are separate: they protect the text. */
export interface Readers {
  /**
   * Whether the status of a post alone decides: there are no callbacks for capability filters, and published posts of these types are
   * public.
   */
  isByStatus(types?: readonly string[]): boolean
  canRead(post: Post, user: User | null): Promise<boolean>
  mayEdit(post: Post, user: User): Promise<boolean>
  /** Those of the posts that the user may read, in order. */
  readable(posts: readonly Post[], user: User | null): Promise<Post[]>
  /** Like `Content.readableIn`. */
  readableIn(attachments: readonly Post[], shownBy: Post): Promise<Post[]>
}

/**
 * WordPress's `read_post`, checked for anonymous visitors too. Published posts are public unless a capability filter has callbacks; then
 * each post is checked. Attachments are readable if their parent is.
 */
export function createReaders(parts: {
  auth: Pick<HostAuth, 'can' | 'canWith' | 'users'>
  hooks: Pick<Hooks, 'hasFilter'>
  posts: () => Pick<Posts, 'get' | 'getMany'>
  postTypes: () => ReadonlyMap<string, Pick<PostType, 'capabilities'>>
}): Readers {
  const { auth, hooks, posts, postTypes } = parts
  /** Whether published posts of the type require a capability, as patterns do. */
  const isClosed = (type: string) => (postTypes().get(type)?.capabilities.read ?? 'read') !== 'read'
  const isByStatus = (types: readonly string[] = []) =>
    !DECIDING.some((name) => hooks.hasFilter(name)) && !types.some(isClosed)

  /** Rendered as an anonymous visitor, so that a callback that reads the current user does not affect shared results. */
  async function ask({ id }: Post, user: User | null): Promise<boolean> {
    const may = () => auth.canWith(user, EVERYBODY, 'read_post', id)
    return user === null ? (await asVisitor(may)).result : may()
  }

  async function mayRead(
    post: Post,
    user: User | null,
    parents: ReadonlyMap<number, Post>,
    depth = 0,
  ): Promise<boolean> {
    if (post.status === 'publish') return isByStatus([post.type]) || ask(post, user)
    if (post.status !== 'inherit') return user !== null && auth.can(user, 'read_post', post.id)
    if (depth > DEPTH) return false
    const parent = post.parentId > 0 ? (parents.get(post.parentId) ?? (await posts().get(post.parentId))) : undefined
    // The raw form of a pattern is for editors, but its images appear in public posts.
    const isShown = parent?.status === 'publish' && isClosed(parent.type)
    if (parent && !isShown && !(await mayRead(parent, user, parents, depth + 1))) return false
    const isPublic = parent === undefined || parent.status === 'publish'
    return isByStatus() || !isPublic || ask(post, user)
  }

  const readers: Readers = {
    isByStatus,
    canRead: (post, user) => mayRead(post, user, new Map()),
    mayEdit: (post, user) => auth.can(user, 'edit_post', post.id),
    async readable(all, user) {
      const parentIds = all.filter((post) => post.status === 'inherit').map((post) => post.parentId)
      const parents = parentIds.some((id) => id > 0) ? await posts().getMany(parentIds) : new Map<number, Post>()
      // Concurrently, so that related lookups are batched.
      const readable = await Promise.all(all.map((post) => mayRead(post, user, parents)))
      return all.filter((_, at) => readable[at])
    },
    async readableIn(attachments, { id, authorId }) {
      const own = new Set(attachments.filter(({ parentId }) => parentId === id))
      const open = new Set([...own, ...(await readers.readable(attachments, null))])
      const others = attachments.filter((one) => !open.has(one))
      const author = others.length > 0 && authorId > 0 ? await auth.users.get(authorId) : undefined
      const forAuthor = new Set(author ? await readers.readable(others, author) : [])
      return attachments.filter((one) => open.has(one) || forAuthor.has(one))
    },
  }
  return readers
}
