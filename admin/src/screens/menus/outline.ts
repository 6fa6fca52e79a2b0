/** A menu item with its depth, in the order of the menu. */
export interface OutlineEntry {
  readonly id: number
  readonly depth: number
}

interface Placed {
  readonly id: number
  readonly parent: number
  readonly menu_order: number
}

/** WordPress menus have no depth limit; themes rarely display deeper levels well. */
const DEEPEST = 5

/**
 * Items in reading order with their depth. Items without an existing parent and circular items become top-level items.
 */
export function toOutline(items: readonly Placed[]): OutlineEntry[] {
  const known = new Set(items.map(({ id }) => id))
  const sorted = items.toSorted((one, other) => one.menu_order - other.menu_order || one.id - other.id)
  const below = Map.groupBy(sorted, ({ parent }) => (known.has(parent) ? parent : 0))
  const shown = new Set<number>()
  const walk = (some: readonly Placed[] = [], depth = 0): OutlineEntry[] =>
    some.flatMap(({ id }) => {
      if (shown.has(id)) return []
      shown.add(id)
      return [{ id, depth }, ...walk(below.get(id), depth + 1)]
    })
  return [...walk(below.get(0)), ...walk(sorted)]
}

/** Parent and order of each item, as the routes store them. */
export function toPlaces(outline: readonly OutlineEntry[]): { id: number; parent: number; menu_order: number }[] {
  const open: number[] = []
  return outline.map(({ id, depth }, at) => {
    const parent = depth === 0 ? 0 : (open[depth - 1] ?? 0)
    open.length = depth
    open[depth] = id
    return { id, parent, menu_order: at + 1 }
  })
}

/** The number of items in the subtree that starts at `at`. */
export function branchLength(outline: readonly OutlineEntry[], at: number): number {
  const depth = outline[at]?.depth ?? 0
  let length = 1
  while ((outline[at + length]?.depth ?? -1) > depth) length++
  return length
}

/** Limits each item to one level below the previous item. */
function mended(outline: readonly OutlineEntry[]): OutlineEntry[] {
  let before = -1
  return outline.map(({ id, depth }) => {
    before = Math.min(depth, before + 1, DEEPEST)
    return { id, depth: before }
  })
}

/** Moves a subtree before the item at `to`, or to the end if `to` is the length. */
export function moveBranch(outline: readonly OutlineEntry[], from: number, to: number, depth?: number): OutlineEntry[] {
  const length = branchLength(outline, from)
  if (to > from && to < from + length) return [...outline]
  const branch = outline.slice(from, from + length)
  const shift = (depth ?? branch[0]?.depth ?? 0) - (branch[0]?.depth ?? 0)
  const rest = outline.toSpliced(from, length)
  const at = to > from ? to - length : to
  return mended(rest.toSpliced(at, 0, ...branch.map((entry) => ({ ...entry, depth: entry.depth + shift }))))
}

/** Moves a subtree past the previous or next item of the same depth. `undefined` if there is none. */
export function moveAmong(outline: readonly OutlineEntry[], at: number, step: -1 | 1): OutlineEntry[] | undefined {
  const depth = outline[at]?.depth ?? 0
  if (step === 1) {
    const next = at + branchLength(outline, at)
    if (outline[next]?.depth !== depth) return undefined
    return moveBranch(outline, at, next + branchLength(outline, next))
  }
  let before = at - 1
  while ((outline[before]?.depth ?? -1) > depth) before--
  return outline[before]?.depth === depth ? moveBranch(outline, at, before) : undefined
}

/** Indents or outdents a subtree by one level. `undefined` if that is not possible. */
export function nest(outline: readonly OutlineEntry[], at: number, step: -1 | 1): OutlineEntry[] | undefined {
  const depth = outline[at]?.depth ?? 0
  const wanted = depth + step
  if (wanted < 0 || wanted > DEEPEST || wanted > (outline[at - 1]?.depth ?? -1) + 1) return undefined
  const length = branchLength(outline, at)
  // Otherwise the following siblings would become its children.
  if (step === -1) {
    let end = at + length
    while ((outline[end]?.depth ?? -1) >= depth) end++
    return moveBranch(outline, at, end, wanted)
  }
  return moveBranch(outline, at, at, wanted)
}
