import type { JsonValue } from 'pentad'

export type JsonObject = Readonly<Record<string, JsonValue>>

/** The members of an object, or of none. */
export function membersOf(value: JsonValue | undefined): JsonObject {
  const isObject = (some: JsonValue | undefined): some is JsonObject =>
    typeof some === 'object' && some !== null && !Array.isArray(some)
  return isObject(value) ? value : {}
}

/** The items of a list; PHP's arrays with gaps are objects by now. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  const isList = (some: JsonValue | undefined): some is readonly JsonValue[] => Array.isArray(some)
  return isList(value) ? value : Object.values(membersOf(value))
}

/** What is at `path` inside: `at(options, ['wpseo_titles', 'separator'])`. */
export function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let inner = value
  for (const key of path) {
    const members = membersOf(inner)
    inner = Object.hasOwn(members, key) ? members[key] : undefined
  }
  return inner
}

/** A text or number as text, trimmed; nothing else is one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** Whether nothing was entered, as PHP's `empty` says it. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return itemsOf(value).length === 0
  return value !== true && ['', '0'].includes(textOf(value))
}

/** A switch as PHP's plugins store it; `undefined` where it was left alone. */
export function flagOf(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = textOf(value).toLowerCase()
  // Yoast: 2 is "index this page all the same"; The SEO Framework: -1.
  if (['2', '-1', 'off', 'no', 'index', 'follow'].includes(text)) return false
  return ['1', 'on', 'yes', 'true', 'noindex', 'nofollow'].includes(text) ? true : undefined
}
