import { z } from 'zod'
import type { JsonValue } from '../../../core/options/types.ts'
import type { RestRequest } from '../../../core/rest/types.ts'
import { readMetaValue, shownIn, shownMeta } from '../meta/fields.ts'
import type { Content, Meta, MetaField, MetaKind } from '../types.ts'
import type { Context, Wants } from './fields.ts'
import { invalidParameter, refused } from './refusals.ts'

/** The parameter `meta` of terms, comments and users. */
export const metaSchema = z.record(z.string(), z.unknown()).optional().describe('Meta fields.')

type Place = { readonly kind: MetaKind; readonly subtype: string }
/** Where meta of every comment and of every user is declared. */
export const COMMENT_META = { kind: 'comment', subtype: 'comment' } as const satisfies Place
export const USER_META = { kind: 'user', subtype: 'user' } as const satisfies Place

type Values = ReadonlyMap<string, readonly JsonValue[]>

/** The stored meta of the things of one answer: one statement for all of them, none if the answer does not show it. */
export async function storedMeta(
  content: Content,
  place: Place,
  { ids, context, wants }: { ids: readonly number[]; context: Context; wants: Wants },
): Promise<ReadonlyMap<number, Meta>> {
  const isShown = wants('meta') && shownIn(content.metaFields(place.kind, place.subtype), context).length > 0
  return isShown ? content.meta.of(place.kind, ids) : new Map()
}

/** The field `meta` of an answer: declared keys that REST shows; WordPress's empty list if there are none. */
export function declaredMeta(
  content: Content,
  { kind, subtype }: Place,
  { stored = {}, context }: { stored: Meta | undefined; context: Context },
): unknown {
  const fields = shownIn(content.metaFields(kind, subtype), context)
  return fields.length === 0 ? [] : Object.fromEntries(fields.map((field) => [field.key, shownMeta(field, stored)]))
}

/**
 * What a request's `meta` says of declared keys, `null` for no value any more; other keys are left out without a word,
 * as in WordPress (`WP_REST_Meta_Fields::update_value`).
 * @throws RestError `rest_invalid_param` for a value that does not fit
 */
export function askedMeta(
  content: Content,
  place: Place,
  asked: Readonly<Record<string, unknown>> | undefined,
): Values {
  const fields = shownFields(content, place).filter(({ key }) => asked !== undefined && Object.hasOwn(asked, key))
  return new Map(fields.map((field) => [field.key, valuesOf(field, asked?.[field.key])]))
}

/** Stores what was asked for. @throws RestError `rest_cannot_update` for a key that the caller may not write */
export async function storeMeta(
  content: Content,
  { kind }: Place,
  { id, values, request }: { id: number; values: Values; request: RestRequest },
): Promise<void> {
  for (const key of values.keys()) {
    if (await request.can(`edit_${kind}_meta`, id, key)) continue
    const message = `Sorry, you are not allowed to edit the ${key} custom field.`
    throw refused(request.user, 'rest_cannot_update', message)
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
