import { z } from 'zod'
import type { JsonValue } from '../../../core/options/types.ts'
import type { RestRequest } from '../../../core/rest/types.ts'
import { readMetaValue, shownIn, shownMeta } from '../meta/fields.ts'
import type { Content, Meta, MetaField, MetaKind } from '../types.ts'
import { accessDenied, invalidParameter } from './errors.ts'
import type { Context, Wants } from './fields.ts'

/** The `meta` parameter of terms, comments and users. */
export const metaSchema = z.record(z.string(), z.unknown()).optional().describe('Meta fields.')

type Place = { readonly kind: MetaKind; readonly subtype: string }
/** Kinds and subtypes of meta for all comments and all users. */
export const COMMENT_META = { kind: 'comment', subtype: 'comment' } as const satisfies Place
export const USER_META = { kind: 'user', subtype: 'user' } as const satisfies Place

type Values = ReadonlyMap<string, readonly JsonValue[]>

/** Stored meta of the objects in a response: one statement for all, none if the response does not contain it. */
export async function storedMeta(
  content: Content,
  place: Place,
  { ids, context, wants }: { ids: readonly number[]; context: Context; wants: Wants },
): Promise<ReadonlyMap<number, Meta>> {
  const isShown = wants('meta') && shownIn(content.metaFields(place.kind, place.subtype), context).length > 0
  return isShown ? content.meta.of(place.kind, ids) : new Map()
}

/** The `meta` field of a response: declared keys that REST exposes; WordPress's empty list if there are none. */
export function declaredMeta(
  content: Content,
  { kind, subtype }: Place,
  { stored = {}, context }: { stored: Meta | undefined; context: Context },
): unknown {
  const fields = shownIn(content.metaFields(kind, subtype), context)
  return fields.length === 0 ? [] : Object.fromEntries(fields.map((field) => [field.key, shownMeta(field, stored)]))
}

/**
 * The declared keys in a request's `meta`, with `null` to delete a value; other keys are ignored, as in WordPress
 * (`WP_REST_Meta_Fields::update_value`).
 * @throws RestError `rest_invalid_param` for an invalid value
 */
export function askedMeta(
  content: Content,
  place: Place,
  asked: Readonly<Record<string, unknown>> | undefined,
): Values {
  const fields = shownFields(content, place).filter(({ key }) => asked !== undefined && Object.hasOwn(asked, key))
  return new Map(fields.map((field) => [field.key, valuesOf(field, asked?.[field.key])]))
}

/** Stores the requested meta. @throws RestError `rest_cannot_update` for a key that the caller may not write */
export async function storeMeta(
  content: Content,
  { kind }: Place,
  { id, values, request }: { id: number; values: Values; request: RestRequest },
): Promise<void> {
  for (const key of values.keys()) {
    if (await request.can(`edit_${kind}_meta`, id, key)) continue
    const message = `Sorry, you are not allowed to edit the ${key} custom field.`
    throw accessDenied(request.user, 'rest_cannot_update', message)
  }
  for (const [key, list] of values) {
    if (list.length === 0) await content.meta.delete(kind, id, key)
    else await content.meta.set(kind, id, key, ...list)
  }
}

function shownFields(content: Content, { kind, subtype }: Place): MetaField[] {
  return [...content.metaFields(kind, subtype).values()].filter((field) => field.showInRest)
}

function valuesOf(field: MetaField, value: unknown): JsonValue[] {
  if (value === null) return []
  const list = field.single ? [value] : value
  if (!Array.isArray(list)) throw wrong(field.key, `meta.${field.key} is not of type array.`)
  return list.map((item) => {
    const result = readMetaValue(field, item)
    if (!result.success) throw wrong(field.key, `meta.${field.key}: ${result.error.issues[0]?.message ?? 'invalid'}`)
    return z.json().parse(result.data)
  })
}

function wrong(key: string, message: string) {
  return invalidParameter('meta', { code: 'rest_invalid_type', message, data: { param: `meta.${key}` } })
}
