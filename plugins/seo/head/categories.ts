import type { ExtensionHost, Post, Term } from 'pentad'
import type { SeoFields } from '../fields.ts'

/** Terms of a taxonomy that a post has, by name; of its categories the primary one comes first. */
export async function categoriesOf(
  { content }: Pick<ExtensionHost, 'content'>,
  {
    post,
    fields,
    taxonomy = 'category',
  }: { post: Post; fields: Pick<SeoFields, 'primaryCategory'>; taxonomy?: string | undefined },
): Promise<Term[]> {
  const ids = (await content.terms.ofPosts([post.id])).get(post.id)?.[taxonomy] ?? []
  if (ids.length === 0) return []
  const found = await content.terms.getMany(ids)
  const isPrimary = ({ id }: Term) => Number(id === fields.primaryCategory)
  return ids
    .flatMap((id) => found.get(id) ?? [])
    .sort((one, other) => isPrimary(other) - isPrimary(one) || one.name.localeCompare(other.name))
}
