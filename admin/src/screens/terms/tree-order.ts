interface Placed {
  readonly id: number
  readonly parent?: number
}

/** Sorts terms so that children follow their parent. A term whose parent is missing becomes a top-level term. */
export function inTreeOrder<Term extends Placed>(
  terms: readonly Term[],
): { readonly term: Term; readonly depth: number }[] {
  const known = new Set(terms.map(({ id }) => id))
  const below = Map.groupBy(terms, ({ parent = 0 }) => (known.has(parent) ? parent : 0))
  const walk = (parent: number, depth: number): { term: Term; depth: number }[] =>
    depth > 20 ? [] : (below.get(parent) ?? []).flatMap((term) => [{ term, depth }, ...walk(term.id, depth + 1)])
  return walk(0, 0)
}
