import type { Auth, User } from '../../core/auth/types.ts'
import type { Readers } from './readers.ts'
import type { ContentSearch, Post, PostSearch, Posts, PostType } from './types.ts'

/** Statuses of unpublished and private posts. */
const UNPUBLISHED = ['draft', 'pending', 'future', 'private']

/** Search for one reader: `content.search`. */
export function createReadersSearch({
  auth,
  posts,
  postTypes,
  readable,
}: {
  auth: Pick<Auth, 'can'>
  posts: Posts
  postTypes: () => ReadonlyMap<string, PostType>
  readable: Readers['readable']
}): (words: string, asked: ContentSearch) => Promise<Post[]> {
  /** The query for all posts of these types that the user can read; for editors possibly more. */
  async function visibleTo(user: User | null, types: readonly PostType[]): Promise<PostSearch> {
    if (user === null) return { hasPassword: false }
    const statuses = ['publish', ...UNPUBLISHED]
    const edits = await Promise.all(types.map(({ capabilities }) => auth.can(user, capabilities.edit_others_posts)))
    return edits.includes(true) ? { statuses } : { statuses, others: { than: user.id, statuses: ['publish'] } }
  }

  return async (words, { user, types, match, limit }) => {
    const known = [...postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
    const asked = types ? known.filter(({ name }) => types.includes(name)) : known
    if (asked.length === 0) return []
    const among = { types: asked.map(({ name }) => name), ...(await visibleTo(user, asked)), readableBy: user, limit }
    const found =
      words.trim() === ''
        ? (await posts.query({ ...among, orderBy: 'modified', noFoundRows: true })).items
        : await posts.search(words, { ...among, match })
    return readable(found, user)
  }
}
