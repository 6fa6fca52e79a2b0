import type { JsonValue } from '../../../core/options/types.ts'
import type { Addresses } from '../addresses.ts'
import { PENDING } from './pending.ts'
import { decodePhp } from './php-serialized.ts'
import type { WxrMeta } from './wxr.ts'

/** Meta that is skipped: edit locks, and keys that only an import itself may write. */
const LEFT_OUT = new Set(['_edit_lock', PENDING, '__proto__'])

/** Values by key, in order: PHP arrays as JSON, unreadable values as text, with URLs of this site. */
export function readMeta(meta: readonly WxrMeta[], addresses: Addresses): Record<string, JsonValue[]> {
  const values: Record<string, JsonValue[]> = {}
  for (const { key, value } of meta) {
    if (LEFT_OUT.has(key)) continue
    const list = Object.hasOwn(values, key) ? (values[key] ?? []) : []
    const decoded = decodePhp(value)
    list.push(addresses.inValue(decoded === undefined ? value : decoded))
    values[key] = list
  }
  return values
}
