import type { ExtensionHost, PageContext, User } from 'pentad'

const known = new WeakMap<PageContext, Promise<User | undefined>>()

/** Whose archive a page is, or who wrote its post: one look-up for each page, whoever asks. Tags the page. */
export async function authorOf({ auth }: Pick<ExtensionHost, 'auth'>, page: PageContext): Promise<User | undefined> {
  const found = known.get(page) ?? (page.post && !page.author ? auth.users.get(page.post.authorId) : undefined)
  if (found) known.set(page, found)
  const author = page.author ?? (await found)
  if (author) page.addTags(`author-${author.id}`)
  return author
}
