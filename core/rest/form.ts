import { invalidParameter } from '../schema/errors.ts'
import { rejectUnsafe, rejectUnsafeName } from './unsafe-input.ts'

/** PHP's `max_input_nesting_level`. */
const MAX_DEPTH = 64

/** Maximum number of fields in a form, ten times PHP's `max_input_vars`. */
const MAX_FIELDS = 10_000

/** Collected values, later converted to a list or an object. */
type Level = Map<string, Level | string>

/**
 * Reads a query or a form body as PHP does: `a=1&list[]=x&list[]=y&settings[color]=red`
 * → `{ a: '1', list: ['x', 'y'], settings: { color: 'red' } }`. The last of two equal names wins.
 *
 * @throws RestError `rest_invalid_param` for names that reach prototypes, NUL, nesting deeper than 64 levels, and more than 10,000
 *   fields
 */
export function parseForm(text: string | URLSearchParams): Record<string, unknown> {
  const root: Level = new Map()
  if (typeof text === 'string' && hasTooMany(text)) throw tooManyFields()
  const fields = typeof text === 'string' ? new URLSearchParams(text) : text
  if (fields.size > MAX_FIELDS) throw tooManyFields()
  for (const [name, value] of fields) {
    rejectUnsafe(value)
    const keys = splitName(name)
    let level = root
    for (const [index, part] of keys.entries()) {
      const key = part === '' && index > 0 ? String(level.size) : part
      rejectUnsafeName(key)
      if (index === keys.length - 1) {
        level.set(key, value)
        break
      }
      const known = level.get(key)
      const next: Level = known instanceof Map ? known : new Map()
      level.set(key, next)
      level = next
    }
  }
  return toObject(root)
}

/** Whether a body has too many fields, checked before it is parsed. */
function hasTooMany(text: string): boolean {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0 && count <= MAX_FIELDS; at = text.indexOf('&', at + 1)) count++
  return count > MAX_FIELDS
}

const tooManyFields = () => invalidParameter('form', `A form can have at most ${MAX_FIELDS} fields.`)

/** `settings[a][]` → `['settings', 'a', '']` */
function splitName(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  const keys = name.slice(open + 1, -1).split('][')
  if (keys.length > MAX_DEPTH)
    throw invalidParameter(name.slice(0, open), `${name.slice(0, open)} is nested too deeply.`)
  return [name.slice(0, open), ...keys]
}

function toObject(level: Level): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, value] of level) object[name] = toValue(value)
  return object
}

function toValue(value: Level | string): unknown {
  if (typeof value === 'string') return value
  const isList = [...value.keys()].every((key, index) => key === String(index))
  return isList ? [...value.values()].map(toValue) : toObject(value)
}
