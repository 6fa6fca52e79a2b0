/** `JSON.stringify` and the function here follow values within one another until the stack is full. */
const DEEPEST = 500
/** Characters of JSON: writing more stops the process for seconds, and at half a billion it fails. */
const LONGEST = 100_000_000

/** Values that are looked at without remembering which: most answers hold fewer, and remembering takes longer than looking. */
const FEW = 10_000
/** Characters of a text that is no matter yet. */
const SHORT = 1_000

/** How long the JSON of an object is, or what in it cannot be written. */
type Measure = number | string

/**
 * What keeps a value from being written as JSON, as the end of “it holds …”: circles, BigInts, too deep, too long.
 * `undefined` where nothing does. Each object is read once, however often it occurs.
 * @throws what a getter or a `toJSON` of the value throws
 */
export function findUnserializable(value: unknown): string | undefined {
  if (visits(value, FEW, 0) > 0) return undefined
  const measure = measureOf(value, new Set(), new Map())
  return typeof measure === 'string' ? measure : undefined
}

/**
 * How many visits are left of `most` after those to all values: 0 where they do not suffice, or where something needs a closer
 * look. What goes in a circle uses them up.
 */
function visits(value: unknown, most: number, depth: number): number {
  if (typeof value === 'string')
    return value.length < SHORT ? most - 1 : Math.max(0, most - Math.ceil(value.length / SHORT))
  if (typeof value === 'bigint') return 0
  if (typeof value !== 'object' || value === null) return most - 1
  if (depth > DEEPEST || ArrayBuffer.isView(value) || ('toJSON' in value && typeof value.toJSON === 'function'))
    return 0
  let left = most - 1
  if (Array.isArray(value)) {
    if (value.length > left) return 0
    for (let place = 0; place < value.length && left > 0; place++) left = visits(value[place], left, depth + 1)
    return left
  }
  for (const key of Object.keys(value)) {
    if (left <= 0) return 0
    left = visits(Reflect.get(value, key), left, depth + 1)
  }
  return left
}

/**
 * @param open the objects that the value lies in
 * @param known those that were measured already
 */
function measureOf(value: unknown, open: Set<object>, known: Map<object, number>): Measure {
  if (typeof value === 'string') return sum(value.length, 3)
  if (typeof value === 'bigint') return 'a bigint'
  if (typeof value !== 'object' || value === null) return 6
  const measured = known.get(value)
  if (measured !== undefined) return measured
  if (open.has(value)) return 'a circle'
  if (open.size > DEEPEST) return `more than ${DEEPEST} objects within one another`
  open.add(value)
  const length = measureContents(value, open, known)
  open.delete(value)
  if (typeof length === 'number') known.set(value, length)
  return length
}

function measureContents(value: object, open: Set<object>, known: Map<object, number>): Measure {
  // Bytes are numbers in decimal, each with its place.
  if (ArrayBuffer.isView(value)) return sum(value.byteLength * 4, 0)
  if ('toJSON' in value && typeof value.toJSON === 'function') return measureOf(value.toJSON(''), open, known)
  // Places of an array in which nothing lies are written too.
  let length: Measure = Array.isArray(value) ? sum(value.length * 2, 2) : 2
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length && typeof length === 'number'; place++) {
      length = sum(length, measureOf(value[place], open, known))
    }
    return length
  }
  for (const key of Object.keys(value)) {
    if (typeof length === 'string') break
    length = sum(length + key.length + 4, measureOf(Reflect.get(value, key), open, known))
  }
  return length
}

function sum(length: number, more: Measure): Measure {
  if (typeof more === 'string') return more
  return length + more > LONGEST ? `more than ${LONGEST} characters` : length + more
}
