/** Maximum nesting: `JSON.stringify` and the function below recurse until the stack overflows. */
const DEEPEST = 500
/** Maximum length of JSON in characters: more blocks the process for seconds, and half a billion fails. */
const LONGEST = 100_000_000

/** Values visited without tracking them: most responses contain fewer, and tracking costs more than visiting. */
const FEW = 10_000
/** Length of a text that is not worth measuring, in characters. */
const SHORT = 1_000

/** Length of an object's JSON, or what in it cannot be serialized. */
type Measure = number | string

/**
 * Why a value cannot be serialized as JSON, completing “it holds …”: circular, BigInt, too deep, too long. `undefined` if it can.
 * Each object is visited once, however often it occurs.
 * @throws what a getter or `toJSON` of the value throws
 */
export function findUnserializable(value: unknown): string | undefined {
  if (visits(value, FEW, 0) > 0) return undefined
  const measure = measureOf(value, new Set(), new Map())
  return typeof measure === 'string' ? measure : undefined
}

/**
 * Visits left of `most` after visiting all values: 0 if there were too many, or if something needs tracking. Circular values use them up.
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
 * @param open the enclosing objects
 * @param known objects already measured
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
  // Bytes are serialized as decimal numbers with their indexes.
  if (ArrayBuffer.isView(value)) return sum(value.byteLength * 4, 0)
  if ('toJSON' in value && typeof value.toJSON === 'function') return measureOf(value.toJSON(''), open, known)
  // Empty array slots are serialized too.
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
