import type { Auth, User } from '../../../core/auth/types.ts'
import type { Content, Post, PostQuery } from '../../content/types.ts'

/** Read access to posts on the public site. */
export interface Visibility {
  /**
   * Whether the user can see the post: what `content.canRead` allows for published and private posts; in a preview
   * whatever the user can edit. Passwords are handled by `PostPasswords`.
   */
  mayRead(post: Post, user: User | null, preview: boolean): Promise<boolean>
  /** Post statuses in lists for the user. */
  listStatuses(user: User | null): Promise<NonNullable<PostQuery['statuses']>>
}

/** Maximum length of a chain of parents: an attachment of an attachment of … */
const DEPTH = 5

export function createVisibility(auth: Auth, content: Content): Visibility {
  async function mayRead(post: Post, user: User | null, preview: boolean, depth = 0): Promise<boolean> {
    if (post.status === 'trash' || post.status === 'auto-draft') return false
    if (!content.postTypes().get(post.type)?.public) return false
    if (post.status === 'publish') return content.canRead(post, user)
    if (post.status === 'inherit') {
      if (post.type !== 'attachment' || depth > DEPTH) return false
      const parent = post.parentId > 0 ? await content.posts.get(post.parentId) : undefined
      if (parent && !(await mayRead(parent, user, preview, depth + 1))) return false
      return content.canRead(post, user)
    }
    if (!user) return false
    if (post.status === 'private') return content.canRead(post, user)
    return preview && auth.can(user, 'edit_post', post.id)
  }

  return {
    mayRead: (post, user, preview) => mayRead(post, user, preview),
    async listStatuses(user) {
      return user && (await auth.can(user, 'read_private_posts')) ? ['publish', 'private'] : ['publish']
    },
  }
}
