import type { PathSegment } from './path-pattern.ts'

interface Node<Entry> {
  readonly literals: Map<string, Node<Entry>>
  /** Captures with a pattern are tried before `{name}`, which matches anything. */
  captures: readonly Capture<Entry>[]
  entry: Entry | null
}

interface Capture<Entry> {
  readonly segment: PathSegment
  readonly regex: RegExp
  readonly node: Node<Entry>
}

export interface Found<Entry> {
  readonly entry: Entry
  /** Values of the captures, in order. */
  readonly captures: readonly string[]
}

/** Paths as a tree of segments: matching costs one map lookup per segment, however many routes there are. */
export class RouteTree<Entry> {
  readonly #root: Node<Entry> = emptyNode()

  get(segments: readonly PathSegment[]): Entry | null {
    let node: Node<Entry> | undefined = this.#root
    for (const segment of segments) {
      node = child(node, segment)
      if (!node) return null
    }
    return node.entry
  }

  set(segments: readonly PathSegment[], entry: Entry): void {
    let node = this.#root
    for (const segment of segments) {
      let next = child(node, segment)
      if (!next) {
        next = emptyNode<Entry>()
        if (segment.regex === null) node.literals.set(segment.key, next)
        else {
          const capture = { segment, regex: segment.regex, node: next }
          node.captures = [...node.captures, capture].sort((a, b) => Number(a.segment.open) - Number(b.segment.open))
        }
      }
      node = next
    }
    node.entry = entry
  }

  delete(segments: readonly PathSegment[]): void {
    prune(this.#root, segments, 0)
  }

  /** The first entry that the segments match and `accept` accepts; literals are tried before captures. */
  find(segments: readonly string[], accept: (entry: Entry) => boolean): Found<Entry> | null {
    return find(this.#root, segments, 0, [], accept)
  }
}

function emptyNode<Entry>(): Node<Entry> {
  return { literals: new Map(), captures: [], entry: null }
}

function child<Entry>(node: Node<Entry>, segment: PathSegment): Node<Entry> | undefined {
  if (segment.regex === null) return node.literals.get(segment.key)
  return node.captures.find((capture) => capture.segment.key === segment.key)?.node
}

function find<Entry>(
  node: Node<Entry>,
  segments: readonly string[],
  index: number,
  captures: readonly string[],
  accept: (entry: Entry) => boolean,
): Found<Entry> | null {
  const segment = segments[index]
  if (segment === undefined) {
    return node.entry !== null && accept(node.entry) ? { entry: node.entry, captures } : null
  }
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, index + 1, captures, accept)
  if (found) return found
  for (const capture of node.captures) {
    const values = capture.regex.exec(segment)?.groups
    if (!values) continue
    const own = capture.segment.names.map((_, position) => values[`c${position}`] ?? '')
    const below = find(capture.node, segments, index + 1, [...captures, ...own], accept)
    if (below) return below
  }
  return null
}

/** Removes the entry and the nodes that only it needed. Returns whether the node is now empty. */
function prune<Entry>(node: Node<Entry>, segments: readonly PathSegment[], index: number): boolean {
  const segment = segments[index]
  if (segment === undefined) node.entry = null
  else {
    const next = child(node, segment)
    if (next && prune(next, segments, index + 1)) {
      if (segment.regex === null) node.literals.delete(segment.key)
      else node.captures = node.captures.filter((capture) => capture.node !== next)
    }
  }
  return node.entry === null && node.literals.size === 0 && node.captures.length === 0
}
