import type { JsonValue } from '../../core/options/types.ts'
import { xmlText } from './export/xml.ts'
import { decodePhp } from './import/php-serialized.ts'

/** Text that WordPress's `is_serialized` considers serialized and may convert to objects. */
const SCALAR = /^(?:N;|[bid]:[\d.E+-]+;)$/
const COMPOUND = /^[aOECs]:\d+:/

/**
 * Serializes a meta value like WordPress: a plain string unchanged; anything else, and strings that look serialized, in PHP's format.
 * Characters that XML does not allow are removed first, because PHP counts bytes. https://www.php.net/manual/en/function.serialize.php
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

/** PHP converts numeric string keys to numbers. */
function keyOf(key: string): string | number {
  return /^(?:0|-?[1-9]\d*)$/.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key
}
