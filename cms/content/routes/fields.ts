import type { z } from 'zod'

/** Context of a response: public view, embedding in another response, or editing. */
export type Context = 'view' | 'embed' | 'edit'

export const ALL: readonly Context[] = ['view', 'embed', 'edit']
export const VIEW_EDIT: readonly Context[] = ['view', 'edit']
export const EDIT: readonly Context[] = ['edit']

/** A field of a response: its contexts and its source. */
export interface Field<Item, Around> {
  readonly contexts: readonly Context[]
  /** Schema of the value. */
  readonly schema: z.ZodType
  read(item: Item, around: Around): unknown
}

/** Fields by name, in the order of the response. */
export type Fields<Item, Around> = Readonly<Record<string, Field<Item, Around>>>

/** Whether the response includes a field. */
export type Wants = (name: string) => boolean

/**
 * Reads which top-level fields a request includes (`_fields`), so that others are not computed. Nested fields are removed afterward by the
 * REST server.
 */
export function wantedFields(query: URLSearchParams): Wants {
  const names = [...query.entries()]
    .filter(([key]) => /^_fields(\[\d*\])?$/.test(key))
    .flatMap(([, value]) => value.split(/[\s,]+/))
    .filter((name) => name !== '')
    // `previous` of a deletion is the thing itself.
    .map((name) => name.replace(/^previous\./, '').split('.', 1)[0] ?? '')
  if (names.length === 0 || names.includes('previous')) return () => true
  const wanted = new Set(names)
  return (name) => wanted.has(name) || (name === '_links' && wanted.has('_embedded'))
}

/** The fields of one item, in order. */
export function readFields<Item, Around>(
  fields: Fields<Item, Around>,
  item: Item,
  around: Around,
  options: { context: Context; wants: Wants },
): Promise<Record<string, unknown>> {
  return fieldReader(fields, options)(item, around)
}

/** A function that reads the requested fields of an item, in order: which ones these are is decided once for all items of a response. */
export function fieldReader<Item, Around>(
  fields: Fields<Item, Around>,
  { context, wants }: { context: Context; wants: Wants },
): (item: Item, around: Around) => Promise<Record<string, unknown>> {
  const requested = Object.entries(fields).filter(([name, { contexts }]) => contexts.includes(context) && wants(name))
  return async (item, around) => {
    const data: Record<string, unknown> = {}
    for (const [name, field] of requested) {
      const value = field.read(item, around)
      data[name] = value instanceof Promise ? await value : value
    }
    return data
  }
}
