import type { JsonValue } from 'pentad'

export type JsonObject = Readonly<Record<string, JsonValue>>

/** The members of an object; none for other values. */
export function membersOf(value: JsonValue | undefined): JsonObject {
  const isObject = (some: JsonValue | undefined): some is JsonObject =>
    typeof some === 'object' && some !== null && !Array.isArray(some)
  return isObject(value) ? value : {}
}

/** The items of a list; PHP arrays with gaps are objects in JSON. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  const isList = (some: JsonValue | undefined): some is readonly JsonValue[] => Array.isArray(some)
  return isList(value) ? value : Object.values(membersOf(value))
}

/** The value at a path: `at(options, ['wpseo_titles', 'separator'])`. */
export function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let inner = value
  for (const key of path) {
    const members = membersOf(inner)
    inner = Object.hasOwn(members, key) ? members[key] : undefined
  }
  return inner
}

/** A string or number as trimmed text; empty for other values. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** Whether a value is empty, as PHP's `empty` defines it. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return itemsOf(value).length === 0
  return value !== true && ['', '0'].includes(textOf(value))
}

/** A toggle as PHP plugins store it; `undefined` if not set. */
export function flagOf(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = textOf(value).toLowerCase()
  // Yoast: 2 means index; The SEO Framework: -1.
  if (['2', '-1', 'off', 'no', 'index', 'follow'].includes(text)) return false
  return ['1', 'on', 'yes', 'true', 'noindex', 'nofollow'].includes(text) ? true : undefined
}
