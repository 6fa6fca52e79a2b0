/** Maximum nesting: `JSON.stringify` and the function below recurse until the stack overflows. */
const MAX_DEPTH = 500
/** Maximum length of JSON in characters: longer JSON blocks the process for seconds, and V8 cannot create it beyond half a billion. */
const MAX_LENGTH = 100_000_000

/** Number of values that are visited without tracking: most responses contain fewer, and tracking costs more than visiting. */
const QUICK_VISITS = 10_000
/** Texts shorter than this, in characters, count as one visit. */
const SHORT_TEXT = 1_000

/** Length of a value's JSON, or a description of what cannot be serialized. */
type Measure = number | string

/**
 * Why a value cannot be serialized as JSON, completing “it contains …”: circular, BigInt, too deep, too long. `undefined` if it can.
 * Each object is visited once, however often it occurs.
 * @throws what a getter or `toJSON` of the value throws
 */
export function findUnserializable(value: unknown): string | undefined {
  if (remainingVisits(value, QUICK_VISITS, 0) > 0) return undefined
  const measure = measureOf(value, new Set(), new Map())
  return typeof measure === 'string' ? measure : undefined
}

/**
 * The part of `most` that remains after visiting all values: 0 if there are too many (as in circular values), or if a value needs tracking.
 */
function remainingVisits(value: unknown, most: number, depth: number): number {
  if (typeof value === 'string')
    return value.length < SHORT_TEXT ? most - 1 : Math.max(0, most - Math.ceil(value.length / SHORT_TEXT))
  if (typeof value === 'bigint') return 0
  if (typeof value !== 'object' || value === null) return most - 1
  if (depth > MAX_DEPTH || ArrayBuffer.isView(value) || ('toJSON' in value && typeof value.toJSON === 'function'))
    return 0
  let left = most - 1
  if (Array.isArray(value)) {
    if (value.length > left) return 0
    for (let place = 0; place < value.length && left > 0; place++) left = remainingVisits(value[place], left, depth + 1)
    return left
  }
  for (const key of Object.keys(value)) {
    if (left <= 0) return 0
    left = remainingVisits(Reflect.get(value, key), left, depth + 1)
  }
  return left
}

/**
 * @param open the enclosing objects
 * @param known objects already measured
 */
function measureOf(value: unknown, open: Set<object>, known: Map<object, number>): Measure {
  if (typeof value === 'string') return add(value.length, 3)
  if (typeof value === 'bigint') return 'a bigint'
  if (typeof value !== 'object' || value === null) return 6
  const measured = known.get(value)
  if (measured !== undefined) return measured
  if (open.has(value)) return 'a circular reference'
  if (open.size > MAX_DEPTH) return `more than ${MAX_DEPTH} levels of nesting`
  open.add(value)
  const length = measureContents(value, open, known)
  open.delete(value)
  if (typeof length === 'number') known.set(value, length)
  return length
}

function measureContents(value: object, open: Set<object>, known: Map<object, number>): Measure {
  // Bytes are serialized as decimal numbers with their indexes.
  if (ArrayBuffer.isView(value)) return add(value.byteLength * 4, 0)
  if ('toJSON' in value && typeof value.toJSON === 'function') return measureOf(value.toJSON(''), open, known)
  // Empty array slots are serialized too.
  let length: Measure = Array.isArray(value) ? add(value.length * 2, 2) : 2
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length && typeof length === 'number'; place++) {
      length = add(length, measureOf(value[place], open, known))
    }
    return length
  }
  for (const key of Object.keys(value)) {
    if (typeof length === 'string') break
    length = add(length + key.length + 4, measureOf(Reflect.get(value, key), open, known))
  }
  return length
}

function add(length: number, more: Measure): Measure {
  if (typeof more === 'string') return more
  return length + more > MAX_LENGTH ? `more than ${MAX_LENGTH} characters` : length + more
}
