import type { ExtensionHost, PageContext, User } from 'pentad'

/** A page as far as it tells of an author. */
type Written = Pick<PageContext, 'post' | 'author' | 'addTags'>

const known = new WeakMap<Written, Promise<User | undefined>>()

/** Whose archive a page is, or who wrote its post: one look-up for each page, whoever asks. Tags the page. */
export async function authorOf({ auth }: Pick<ExtensionHost, 'auth'>, page: Written): Promise<User | undefined> {
  const found = known.get(page) ?? (page.post && !page.author ? auth.users.get(page.post.authorId) : undefined)
  if (found) known.set(page, found)
  const author = page.author ?? (await found)
  if (author) page.addTags(`author-${author.id}`)
  return author
}
