import { FORMAT_PREFIX, FORMAT_TAXONOMY, slugInPath } from '../../post-formats.ts'
import type { Content } from '../../types.ts'

/** The terms that give a post this format; a standard post has none. A preview creates none. */
export async function formatTerms(
  { terms }: Pick<Content, 'terms'>,
  format: string | undefined,
  isPreview: boolean,
): Promise<Record<string, number[]>> {
  if (format === undefined) return {}
  if (format === 'standard') return { [FORMAT_TAXONOMY]: [] }
  const slug = `${FORMAT_PREFIX}${format}`
  const known = await terms.getBySlug(FORMAT_TAXONOMY, slug)
  if (!known && isPreview) return { [FORMAT_TAXONOMY]: [] }
  const { id } = known ?? (await terms.insert(FORMAT_TAXONOMY, { name: slug, slug }))
  return { [FORMAT_TAXONOMY]: [id] }
}

/** The formats of those posts that have one. */
export async function formatsOf(
  { terms }: Pick<Content, 'terms'>,
  ofPosts: ReadonlyMap<number, Readonly<Record<string, readonly number[]>>>,
): Promise<Map<number, string>> {
  const first = [...ofPosts].flatMap(([postId, ids]) => {
    const [id] = ids[FORMAT_TAXONOMY] ?? []
    return id === undefined ? [] : [{ postId, id }]
  })
  if (first.length === 0) return new Map()
  const known = await terms.getMany(first.map(({ id }) => id))
  const formatOf = (slug: string | undefined) => (slug === undefined ? 'standard' : slugInPath(FORMAT_TAXONOMY, slug))
  return new Map(first.map(({ postId, id }) => [postId, formatOf(known.get(id)?.slug)]))
}
