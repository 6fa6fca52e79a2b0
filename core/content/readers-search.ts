import type { Auth, User } from '../auth/types.ts'
import type { ContentSearch, Post, Posts, PostType } from './types.ts'

/** Statuses of what is still being written, or for few. */
const UNPUBLISHED = ['draft', 'pending', 'future', 'private']

/** What one reader finds: `content.search`. */
export function createReadersSearch({
  auth,
  posts,
  postTypes,
}: {
  auth: Pick<Auth, 'can'>
  posts: Posts
  postTypes: () => ReadonlyMap<string, PostType>
}): (words: string, asked: ContentSearch) => Promise<Post[]> {
  /** Whether the user may read whatever others have not published. */
  async function readsAll(user: User, types: readonly PostType[]): Promise<boolean> {
    const needed = new Set(
      types.flatMap(({ capabilityType: [, plural] }) => [`edit_others_${plural}`, `read_private_${plural}`]),
    )
    const allowed = await Promise.all([...needed].map((capability) => auth.can(user, capability)))
    return allowed.every(Boolean)
  }

  async function mayRead(user: User | null, post: Post): Promise<boolean> {
    return post.status === 'publish' || (user !== null && auth.can(user, 'read_post', post.id))
  }

  return async (words, { user, types, match, limit }) => {
    const known = [...postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
    const asked = types ? known.filter(({ name }) => types.includes(name)) : known
    if (asked.length === 0) return []
    const among = {
      types: asked.map(({ name }) => name),
      ...(user === null ? { hasPassword: false } : { statuses: ['publish', ...UNPUBLISHED] }),
      ...(user !== null && !(await readsAll(user, asked)) && { others: { than: user.id, statuses: ['publish'] } }),
      limit,
    }
    const found =
      words.trim() === ''
        ? (await posts.query({ ...among, orderBy: 'modified' })).items
        : await posts.search(words, { ...among, match })
    const readable = await Promise.all(found.map((post) => mayRead(user, post)))
    return found.filter((_, at) => readable[at])
  }
}
