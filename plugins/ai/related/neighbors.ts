/** Number of stored neighbors: more than are shown, as some may be deleted. */
const MAX_NEIGHBORS = 24

/** A similar post. */
export interface Neighbor {
  readonly id: number
  /** Similarity, 0 to 1; only comparable within one source. */
  readonly score: number
}

/**
 * The best neighbors of a post, best first.
 * @param finders IDs of posts that have the post as neighbor, which is not necessarily mutual
 */
export function best(neighbors: readonly Neighbor[], finders: ReadonlySet<number>): Neighbor[] {
  const sorted = neighbors.toSorted((a, b) => b.score - a.score || b.id - a.id)
  return sorted.filter(({ id }, at) => at < MAX_NEIGHBORS || finders.has(id))
}
