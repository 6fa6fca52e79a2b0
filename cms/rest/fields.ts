import { isObject } from '../../core/schema/convert.ts'

/** The requested fields: `id,title.rendered` → `{ id: true, title: { rendered: true } }`. */
export interface FieldTree extends Map<string, FieldTree | true> {}

/** Parses `_fields`, a comma-separated list or an array of them; `null` if all fields are requested. */
export function parseFields(value: unknown): FieldTree | null {
  const names = (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .flatMap((item) => item.split(/[\s,]+/))
    .filter((name) => name !== '')
  if (names.length === 0) return null
  const tree: FieldTree = new Map()
  for (const name of names) {
    let level = tree
    const keys = name.split('.')
    for (const [index, key] of keys.entries()) {
      const known = level.get(key)
      if (known === true) break
      if (index === keys.length - 1) {
        level.set(key, true)
        break
      }
      const next: FieldTree = known ?? new Map()
      level.set(key, next)
      level = next
    }
  }
  return tree
}

/** Removes all but the requested fields from an object, or from each object in a list, like WordPress's `rest_filter_response_fields`. */
export function keepFields(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item) => keepFields(item, fields))
  if (!isObject(value)) return value
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const wanted = fields.get(name)
    if (wanted !== undefined) kept[name] = wanted === true ? value[name] : keepFields(value[name], wanted)
  }
  return kept
}
