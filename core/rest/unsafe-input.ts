import { RestError } from '../errors.ts'
import { invalidParameter } from '../schema/errors.ts'

/** Keys that would reach an object's prototype in a careless merge (prototype pollution). */
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Nesting limit of PHP's `json_decode`, and so of WordPress. */
const MAX_DEPTH = 512

/**
 * Rejects unsafe input: keys that reach prototypes, at any depth; NUL, which PostgreSQL cannot store; and nesting deep
 * enough to overflow a stack.
 *
 * @throws RestError `rest_invalid_param`, `rest_invalid_json`
 */
export function rejectUnsafe(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidParameter('request', 'Text must not contain NUL characters.')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) throw invalidJson('Maximum stack depth exceeded', 1)
  if (Array.isArray(value)) {
    for (const item of value) rejectUnsafe(item, depth + 1)
    return
  }
  for (const [name, item] of Object.entries(value)) {
    rejectUnsafeName(name)
    rejectUnsafe(item, depth + 1)
  }
}

/** @throws RestError `rest_invalid_param` */
export function rejectUnsafeName(name: string): void {
  if (UNSAFE_NAMES.has(name)) throw invalidParameter(name, `${name} is not allowed as a name.`)
  if (name.includes('\0')) throw invalidParameter('request', 'Names must not contain NUL characters.')
}

/** Error codes are those of PHP's `json_last_error`. */
export function invalidJson(message = 'Syntax error', code = 4): RestError {
  return new RestError('rest_invalid_json', 'Invalid JSON body passed.', {
    status: 400,
    json_error_code: code,
    json_error_message: message,
  })
}
