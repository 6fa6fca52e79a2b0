import { invalidParameter } from '../schema/errors.ts'
import type { JsonValue } from './types.ts'

/** Names that would reach an object's prototype when somebody merges carelessly (contract 1). */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Deeper values are refused, so that no recursion over stored values can exhaust the stack. */
const MAX_DEPTH = 64

/** What came out of `toJson`: frozen, so that it need not be looked through again. */
const frozen = new WeakSet<object>()

export type JsonRecord = { readonly [key: string]: JsonValue }

/** Whether the value is an object with named members, as opposed to an array, a primitive, a date, … */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** As `isPlainObject`, for what is known to be JSON already. */
export function isJsonRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key)
}

/**
 * A deeply frozen copy of a JSON value. What is such a copy already is answered as it is.
 *
 * @param name - What the value is called in the refusal: `colors`, then `colors[0][name]`.
 * @throws RestError 400 `rest_invalid_param` on what JSON can't hold (undefined, functions, NaN, dates, cycles)
 * and on the keys `__proto__`, `constructor` and `prototype` at any depth.
 */
export function toJson(value: unknown, name: string): JsonValue {
  return copy(value, name, name, [])
}

function copy(value: unknown, parameter: string, path: string, ancestors: readonly object[]): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  // Adding zero turns -0, which JSON does not know, into 0.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (typeof value !== 'object') throw invalid(parameter, `${path} is not a JSON value.`)
  if (isChecked(value)) return value
  if (ancestors.includes(value)) throw invalid(parameter, `${path} contains itself.`)
  if (ancestors.length >= MAX_DEPTH) throw invalid(parameter, `${path} is nested too deeply.`)
  const within = [...ancestors, value]
  const copied = Array.isArray(value)
    ? // Array.from visits the holes of a sparse array, map would not.
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

/** Freezes a value of a schema and everything in it; answers the value. */
export function freezeDeeply<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) freezeDeeply(item)
  }
  return value
}
