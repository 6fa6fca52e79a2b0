import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../options/types.ts'
import type { BlockAttributes } from './parser.ts'
import type { BlockAttributeSchema, BlockType } from './types.ts'

/**
 * WordPress's `prepare_attributes_for_render`: an attribute that its schema does not allow is as if it were missing,
 * missing ones get their defaults, and those that the type does not know stay.
 */
export function prepareAttributes(given: BlockAttributes, schemas: BlockType['attributes']): BlockAttributes {
  const isValid = ([name, value]: [string, JsonValue]) =>
    !Object.hasOwn(schemas, name) || matches(value, schemas[name] ?? {})
  const valid = Object.fromEntries(Object.entries(given).filter(isValid))
  const defaults = Object.entries(schemas).flatMap(([name, { default: value }]) =>
    // As PHP's isset: a default of null is none.
    Object.hasOwn(valid, name) || value === undefined || value === null ? [] : [[name, value] as const],
  )
  return { ...valid, ...Object.fromEntries(defaults) }
}

/** The kinds that `rest_validate_value_from_schema` knows; it lets values of others pass, as of `rich-text`. */
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
