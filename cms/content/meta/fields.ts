import { z } from 'zod'
import type { Hooks, Undo } from '../../../core/hooks/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { compileConvert } from '../../../core/schema/convert.ts'
import { inputSchema, resolve } from '../../../core/schema/json-schema.ts'
import type { Meta, MetaField, MetaKind, MetaOptions } from '../types.ts'

/** The declared meta keys of a site. */
export interface MetaFields {
  add(kind: MetaKind, key: string, options: MetaOptions): Undo
  /** The keys for one object type: `of('post', 'page')`. */
  of(kind: MetaKind, subtype?: string): ReadonlyMap<string, MetaField>
}

const TYPES = {
  string: z.string(),
  integer: z.int(),
  number: z.number(),
  boolean: z.boolean(),
  array: z.array(z.json()),
  object: z.record(z.string(), z.json()),
}

/** Values if none is stored and no default was declared; WordPress's `get_empty_value_for_type`. If a field may be null, it is. */
const EMPTY: readonly JsonValue[] = [null, '', 0, false, [], {}]

/**
 * Registry for `registerMeta`. A later declaration of a key hides an earlier one until it is undone: during a reload, those of both
 * versions exist.
 */
export function createMetaFields(): MetaFields {
  let fields: readonly MetaField[] = []
  return {
    add(kind, key, options) {
      const {
        type = 'string',
        schema = TYPES[type],
        single = false,
        showInRest = false,
        contexts = ['view', 'edit'],
      } = options
      const { default: fallback, objectSubtype, label = '', description = '' } = options
      const field = {
        kind,
        key,
        schema,
        single,
        showInRest,
        contexts,
        label,
        description,
        default: fallback,
        objectSubtype,
      }
      fields = [...fields, field]
      return () => {
        fields = fields.filter((other) => other !== field)
      }
    },
    of(kind, subtype) {
      const own = fields.filter((field) => {
        return field.kind === kind && (field.objectSubtype === undefined || field.objectSubtype === subtype)
      })
      return new Map(own.map((field) => [field.key, field]))
    },
  }
}

/** The declared keys that a response in that context contains. */
export function shownIn(fields: ReadonlyMap<string, MetaField>, context: 'view' | 'edit' | 'embed'): MetaField[] {
  return [...fields.values()].filter(
    ({ showInRest, contexts }) => showInRest && context !== 'embed' && contexts.includes(context),
  )
}

/** Lets the declaration of a key decide who may write it; if it fails, access is denied. */
export function guardMeta(
  hooks: Hooks,
  { kind, key, mayWrite }: { kind: MetaKind; key: string; mayWrite: NonNullable<MetaOptions['authCallback']> },
): Undo {
  const name: `auth_${MetaKind}_meta_${string}` = `auth_${kind}_meta_${key}`
  return hooks.addFilter(name, (_allowed, metaKey, objectId, userId) => {
    try {
      return mayWrite(userId, objectId, metaKey) === true
    } catch {
      return false
    }
  })
}

/** A stored value converted to the field's schema, because imports store numbers as text; `undefined` if it does not match. */
export function readMetaValue({ schema }: MetaField, value: unknown): z.ZodSafeParseResult<unknown> {
  return schema.safeParse(converterOf(schema)(value))
}

/** The value of a field in a response; WordPress's `WP_REST_Meta_Fields::get_value`. */
export function shownMeta(field: MetaField, stored: Meta): unknown {
  const values = stored[field.key] ?? []
  const read = (value: JsonValue): unknown => {
    const result = readMetaValue(field, value)
    return result.success ? result.data : null
  }
  if (!field.single) return values.length === 0 && field.default !== undefined ? [field.default] : values.map(read)
  const [value] = values
  return value === undefined ? emptyOf(field) : read(value)
}

const empties = new WeakMap<MetaField, JsonValue>()

/** The value of a field of which nothing is stored; computed once, because most posts have no value for most fields. */
function emptyOf(field: MetaField): JsonValue {
  let empty = empties.get(field)
  if (empty === undefined) {
    empty = field.default ?? EMPTY.find((value) => field.schema.safeParse(value).success) ?? null
    empties.set(field, empty)
  }
  return empty
}

type Convert = (value: unknown) => unknown
const converters = new WeakMap<z.ZodType, Convert>()

/** Conversions that REST applies to parameters before validation: `"5"` is a number. */
function converterOf(schema: z.ZodType): Convert {
  let convert = converters.get(schema)
  if (!convert) {
    const root = inputSchema(z.object({ value: schema }))
    convert = compileConvert(resolve(root.properties?.value, root), root)
    converters.set(schema, convert)
  }
  return convert
}
