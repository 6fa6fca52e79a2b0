import { invalidParameter } from '../schema/errors.ts'
import type { JsonValue } from './types.ts'

/** Keys that would reach an object's prototype in a careless merge (prototype pollution). */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Maximum nesting, so that recursion over stored values cannot overflow the stack. */
const MAX_DEPTH = 64

/** Results of `toJson`: deeply frozen, so they need no further check. */
const frozen = new WeakSet<object>()

export type JsonRecord = { readonly [key: string]: JsonValue }

/** Whether the value is a plain object rather than an array, a date or another class instance. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Like `isPlainObject`, for a value known to be JSON. */
export function isJsonRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key)
}

/**
 * Returns a deeply frozen copy of a JSON value, or the value itself if it already is one.
 *
 * @param name - Name of the value in error messages: `colors`, from which `colors[0][name]` is built.
 * @throws RestError 400 `rest_invalid_param` for values that JSON cannot represent (undefined, functions, NaN, dates, cycles) and for the
 * keys `__proto__`, `constructor` and `prototype` at any depth.
 */
export function toJson(value: unknown, name: string): JsonValue {
  return copy(value, name, name, [])
}

function copy(value: unknown, parameter: string, path: string, ancestors: readonly object[]): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  // Adding zero turns -0, which JSON cannot represent, into 0.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (typeof value !== 'object') throw invalid(parameter, `${path} is not a JSON value.`)
  if (isChecked(value)) return value
  if (ancestors.includes(value)) throw invalid(parameter, `${path} contains a circular reference.`)
  if (ancestors.length >= MAX_DEPTH) throw invalid(parameter, `${path} is nested too deeply.`)
  const within = [...ancestors, value]
  const copied = Array.isArray(value)
    ? // Unlike `map`, `Array.from` visits the empty slots of a sparse array.
      Array.from(value, (item, index) => copy(item, parameter, `${path}[${index}]`, within))
    : copyObject(value, parameter, path, within)
  frozen.add(copied)
  return Object.freeze(copied)
}

function copyObject(value: object, parameter: string, path: string, within: readonly object[]): JsonRecord {
  if (!isPlainObject(value)) throw invalid(parameter, `${path} is not a JSON value.`)
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    if (isForbiddenKey(key)) throw invalid(parameter, `${path} must not contain the key ${key}.`)
    return [key, copy(item, parameter, `${path}[${key}]`, within)]
  })
  return Object.fromEntries(entries)
}

function isChecked(value: object): value is JsonRecord | readonly JsonValue[] {
  return frozen.has(value)
}

function invalid(parameter: string, message: string): Error {
  return invalidParameter(parameter, message, 'rest_invalid_type')
}

/** Deeply freezes a parsed value and returns it. */
export function freezeDeeply<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) freezeDeeply(item)
  }
  return value
}
