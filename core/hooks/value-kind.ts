/** The kind of a value at run time. Promises have none, because they are not valid filter values. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** A value's kind for a sentence: `a string`, `null`, `a promise`. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (isThenable(value)) return 'a promise'
  const type = typeof value
  return `${type === 'object' ? 'an' : 'a'} ${type}`
}

/** The kind of a value; `undefined` for promises, functions and other values that a filter cannot have. */
export function kindOf(value: unknown): ValueKind | undefined {
  const type = typeof value
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return type
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return 'array'
      return isThenable(value) ? undefined : 'object'
    default:
      return undefined
  }
}

/** Whether a callback returned a promise or other thenable. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
