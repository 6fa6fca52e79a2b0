import type { ExtensionHost, PageContext, User } from 'pentad'

/** The parts of a page that determine its author. */
type Written = Pick<PageContext, 'post' | 'author' | 'addTags'>

/** The author of an author archive or of the post shown. Adds the cache tag of the author. */
export async function authorOf(
  { auth, pageData }: Pick<ExtensionHost, 'auth' | 'pageData'>,
  page: Written,
): Promise<User | undefined> {
  const author = page.author ?? (page.post && (await writerOf(page.post)))
  if (author) page.addTags(`author-${author.id}`)
  return author

  /** A draft that is not saved yet may have another author. */
  async function writerOf({ id, authorId }: { readonly id: number; readonly authorId: number }) {
    const { author: stored } = await pageData.ofPost(id)
    return stored?.id === authorId ? stored : auth.users.get(authorId)
  }
}
