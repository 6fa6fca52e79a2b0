/** Neighbors that are kept of a post: more than are shown, as some of them will go. */
const KEPT = 24

/** A post that is like another one. */
export interface Neighbor {
  readonly id: number
  /** From 0 to 1; only those of one source can be compared. */
  readonly score: number
}

/**
 * The best of a post's neighbors, best first.
 * @param finders ids of posts that found the post themselves: it may be among their best without being so the other way
 * round
 */
export function best(neighbors: readonly Neighbor[], finders: ReadonlySet<number>): Neighbor[] {
  const sorted = neighbors.toSorted((a, b) => b.score - a.score || b.id - a.id)
  return sorted.filter(({ id }, at) => at < KEPT || finders.has(id))
}
