import type { JsonValue } from '../../core/options/types.ts'
import { xmlText } from './export/xml.ts'
import { decodePhp } from './import/php-serialized.ts'

/** What WordPress's `is_serialized` takes for serialized: it makes objects of some of it. */
const SCALAR = /^(?:N;|[bid]:[\d.E+-]+;)$/
const COMPOUND = /^[aOECs]:\d+:/

/**
 * A meta value as WordPress stores it: a text as it is; anything else, and a text that PHP would read as more than a text,
 * serialized. Characters that XML does not allow are left out, since PHP counts the bytes of what is left.
 * https://www.php.net/manual/en/function.serialize.php
 */
export function encodePhp(value: JsonValue): string {
  if (typeof value === 'string') return isSerialized(value) ? serialize(value) : value
  return serialize(value)
}

/** Whether PHP or WordPress would read a text as a serialized value. */
export function isSerialized(text: string): boolean {
  const trimmed = text.trim()
  return SCALAR.test(trimmed) || (COMPOUND.test(trimmed) && /[;}]$/.test(trimmed)) || decodePhp(text) !== undefined
}

function serialize(value: JsonValue): string {
  if (value === null) return 'N;'
  if (typeof value === 'string') {
    const text = xmlText(value)
    return `s:${Buffer.byteLength(text)}:"${text}";`
  }
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`
  const isList = (item: JsonValue): item is readonly JsonValue[] => Array.isArray(item)
  const entries = isList(value)
    ? [...value.entries()]
    : Object.entries(value).map(([key, item]) => [keyOf(key), item] as const)
  return `a:${entries.length}:{${entries.map(([key, item]) => serialize(key) + serialize(item)).join('')}}`
}

/** PHP makes a number of a key that is written as one. */
function keyOf(key: string): string | number {
  return /^(?:0|-?[1-9]\d*)$/.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key
}
