import type { ExtensionHost, PageContext, Term } from 'pentad'
import type { SeoFields } from '../fields.ts'

/** Terms of a post by taxonomy: `category`, `post_tag`, `genre`. */
export type Terms = Readonly<Record<string, readonly Term[]>>

/** Terms of the post on a page, ordered by name, with the primary category first. */
export async function termsOf(
  { pageData }: Pick<ExtensionHost, 'pageData'>,
  { post }: Pick<PageContext, 'post'>,
  { primaryCategory }: Pick<SeoFields, 'primaryCategory'>,
): Promise<Terms> {
  if (!post) return {}
  const { terms } = await pageData.ofPost(post.id)
  if (primaryCategory === 0) return terms
  const isPrimary = ({ id }: Term) => Number(id === primaryCategory)
  const inOrder = (ofTaxonomy: readonly Term[]) =>
    ofTaxonomy.toSorted((one, other) => isPrimary(other) - isPrimary(one))
  return Object.fromEntries(Object.entries(terms).map(([taxonomy, ofTaxonomy]) => [taxonomy, inOrder(ofTaxonomy)]))
}
