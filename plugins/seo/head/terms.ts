import type { ExtensionHost, PageContext, Term } from 'pentad'
import type { SeoFields } from '../fields.ts'

/** Terms of a post by taxonomy: `category`, `post_tag`, `genre`. */
export type Terms = Readonly<Record<string, readonly Term[]>>

/** Terms of the post on a page, ordered by name, with the primary category first. Two queries. */
export async function termsOf(
  { content }: Pick<ExtensionHost, 'content'>,
  { post }: Pick<PageContext, 'post'>,
  { primaryCategory }: Pick<SeoFields, 'primaryCategory'>,
): Promise<Terms> {
  const ids = Object.entries((post && (await content.terms.ofPosts([post.id])).get(post.id)) ?? {})
  const found = await content.terms.getMany(ids.flatMap(([, ofTaxonomy]) => ofTaxonomy))
  const isPrimary = ({ id }: Term) => Number(id === primaryCategory)
  const inOrder = (terms: readonly Term[]) =>
    terms.toSorted((one, other) => isPrimary(other) - isPrimary(one) || one.name.localeCompare(other.name))
  return Object.fromEntries(
    ids.map(([taxonomy, ofTaxonomy]) => [taxonomy, inOrder(ofTaxonomy.flatMap((id) => found.get(id) ?? []))]),
  )
}
