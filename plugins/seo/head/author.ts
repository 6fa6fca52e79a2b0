import type { ExtensionHost, PageContext, User } from 'pentad'

/** The parts of a page that determine its author. */
type Written = Pick<PageContext, 'post' | 'author' | 'addTags'>

const known = new WeakMap<Written, Promise<User | undefined>>()

/** The author of an author archive or of the post shown. One query per page. Adds the cache tag of the author. */
export async function authorOf({ auth }: Pick<ExtensionHost, 'auth'>, page: Written): Promise<User | undefined> {
  const found = known.get(page) ?? (page.post && !page.author ? auth.users.get(page.post.authorId) : undefined)
  if (found) known.set(page, found)
  const author = page.author ?? (await found)
  if (author) page.addTags(`author-${author.id}`)
  return author
}
