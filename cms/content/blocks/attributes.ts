import { isDeepStrictEqual } from 'node:util'
import { isJsonRecord } from '../../../core/options/json.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { BlockAttributes } from './parser.ts'
import type { BlockAttributeSchema, BlockType } from './types.ts'

/**
 * WordPress's `prepare_attributes_for_render`: an attribute that does not match its schema is treated as missing,
 * missing ones get their defaults, and unknown ones are preserved.
 */
export function prepareAttributes(given: BlockAttributes, schemas: BlockType['attributes']): BlockAttributes {
  const isValid = ([name, value]: [string, JsonValue]) =>
    !Object.hasOwn(schemas, name) || matches(value, schemas[name] ?? {})
  const valid = Object.fromEntries(Object.entries(given).filter(isValid))
  const defaults = Object.entries(schemas).flatMap(([name, { default: value }]) =>
    // Like PHP's `isset`: a default of `null` counts as none.
    Object.hasOwn(valid, name) || value === undefined || value === null ? [] : [[name, value] as const],
  )
  return { ...valid, ...Object.fromEntries(defaults) }
}

/** Types that `rest_validate_value_from_schema` checks; values of other types, such as `rich-text`, are accepted. */
const KINDS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: isNumeric,
  integer: (value) => isNumeric(value) && Number.isInteger(Number(value)),
  boolean: (value) => typeof value === 'boolean' || /^(?:0|1|true|false)$/i.test(textOf(value)),
  // A text is a list with commas in between.
  array: (value) => Array.isArray(value) || (value !== null && typeof value !== 'object'),
  object: (value) => value === '' || (typeof value === 'object' && value !== null),
  null: (value) => value === null,
}

function matches(value: JsonValue, schema: BlockAttributeSchema): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length > 0 && !types.some((type) => KINDS[type]?.(value) ?? true)) return false
  return schema.enum?.some((one) => isSame(value, one, types)) ?? true
}

/** Numbers and booleans may be written as text, as in WordPress. */
function isSame(one: JsonValue, other: JsonValue, types: readonly string[]): boolean {
  if (isDeepStrictEqual(one, other)) return true
  const isLoose = types.some((type) => type === 'number' || type === 'integer')
  return isLoose && isNumeric(one) && isNumeric(other) && Number(one) === Number(other)
}

/** PHP's `is_numeric`. */
function isNumeric(value: JsonValue): boolean {
  if (typeof value === 'number') return true
  return typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The text of an attribute; empty if it is not text. */
export function textAttribute(attributes: BlockAttributes, name: string): string {
  return textOf(attributes[name] ?? null)
}

/** Whether an attribute is set; PHP's `! empty()` of what a schema lets pass as a boolean. */
export function isSet(attributes: BlockAttributes, name: string): boolean {
  const value = attributes[name]
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** An integer within limits; `fallback` if the attribute is not an integer. */
export function numberAttribute(
  attributes: BlockAttributes,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER, fallback = 0 }: { min?: number; max?: number; fallback?: number } = {},
): number {
  const value = attributes[name]
  const number = value !== undefined && isNumeric(value) ? Math.trunc(Number(value)) : Number.NaN
  return Number.isSafeInteger(number) ? Math.min(Math.max(number, min), max) : fallback
}

/** The positive integers of a list, or a single one, without duplicates. */
export function idsAttribute(value: JsonValue | undefined, most = 100): number[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value ?? null]
  const ids = list.filter((id) => isNumeric(id)).map(Number)
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, most)
}

/** An object attribute; an empty object if it is not an object. */
export function recordAttribute(value: JsonValue | undefined): BlockAttributes {
  return isJsonRecord(value) ? value : {}
}

/** A nested value of an attribute: `partOf(attributes, 'style', 'color', 'text')`. */
export function partOf(
  value: JsonValue | BlockAttributes | undefined,
  ...path: readonly string[]
): JsonValue | undefined {
  let part: unknown = value
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = Reflect.get(part, name)
  }
  return isJson(part) ? part : undefined
}

/** A value found within JSON is JSON. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined
}
