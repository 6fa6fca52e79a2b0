import type { z } from 'zod'

/** How much of a thing an answer shows: what a visitor sees, what is embedded in another answer, or what an editor needs. */
export type Context = 'view' | 'embed' | 'edit'

export const ALL: readonly Context[] = ['view', 'embed', 'edit']
export const VIEW_EDIT: readonly Context[] = ['view', 'edit']
export const EDIT: readonly Context[] = ['edit']

/** One field of an answer: in which contexts it is there, and where it comes from. */
export interface Field<Item, Around> {
  readonly contexts: readonly Context[]
  /** What the answer has in it. */
  readonly schema: z.ZodType
  read(item: Item, around: Around): unknown
}

/** Fields by name, in the order of the answer. */
export type Fields<Item, Around> = Readonly<Record<string, Field<Item, Around>>>

/** Whether a field of the answer is wanted. */
export type Wants = (name: string) => boolean

/**
 * Reads which top-level fields a request wants (`_fields`), so that nobody renders or looks up what is left out.
 * The REST server itself removes what is below them.
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

/** The fields of one thing, in order. */
export async function readFields<Item, Around>(
  fields: Fields<Item, Around>,
  item: Item,
  around: Around,
  options: { context: Context; wants: Wants },
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!field.contexts.includes(options.context) || !options.wants(name)) continue
    const value = field.read(item, around)
    data[name] = value instanceof Promise ? await value : value
  }
  return data
}
