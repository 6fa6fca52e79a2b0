import { setImmediate as turn } from 'node:timers/promises'
import { best, type Neighbor } from './neighbors.ts'
import type { RelatedDatabase } from './tables.ts'
import { likeness, type SmallVector, toSmallVector } from './vectors.ts'

/** Number of vectors compared before yielding. */
const READ_TOGETHER = 100

/** A post with its vector. */
export interface Seeker {
  readonly id: number
  readonly vector: SmallVector
  readonly finders: ReadonlySet<number>
}

/** The nearest posts of each post by ID: compares all vectors of the model. */
export async function neighborsByVectors(
  db: RelatedDatabase,
  model: string,
  seekers: readonly Seeker[],
): Promise<Map<number, Neighbor[]>> {
  const nearest = new Map(seekers.map(({ id }): [number, Neighbor[]] => [id, []]))
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('ai_related_posts')
      .select(['post_id', 'vector'])
      .where('source', '=', model)
      .where('post_id', '>', after)
      .orderBy('post_id')
      .limit(READ_TOGETHER)
      .execute()
    const last = rows.at(-1)
    if (!last) return nearest
    const others = rows.map((row) => ({ id: row.post_id, vector: toSmallVector(row.vector) }))
    for (const { id, vector, finders } of seekers) {
      const scored = others.map((other) => ({ id: other.id, score: likeness(vector, other.vector) }))
      const known = nearest.get(id) ?? []
      nearest.set(id, best([...known, ...scored.filter((other) => other.id !== id)], finders))
    }
    after = last.post_id
    await turn()
  }
}
