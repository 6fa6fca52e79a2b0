import { z } from 'zod'
import type { JsonValue } from '../../../options/types.ts'
import type { RestRequest } from '../../../rest/types.ts'
import { readMetaValue } from '../../meta-fields.ts'
import type { Meta, MetaField, Post } from '../../types.ts'
import { invalidParameter, refused } from '../refusals.ts'
import type { WriteParts } from './prepare.ts'

/**
 * What a request's `meta` changes: declared keys that REST shows, `null` for none any more. Other keys are left out
 * without a word, as in WordPress (`WP_REST_Meta_Fields::update_value`).
 * @throws RestError `rest_cannot_update` without the right, `rest_invalid_param` for a value that does not fit
 */
export async function metaChanges(
  request: RestRequest,
  { content, type, hooks }: WriteParts,
  asked: Readonly<Record<string, unknown>> | undefined,
  before: Post | undefined,
): Promise<Meta> {
  const changes: Record<string, JsonValue[]> = {}
  for (const field of content.metaFields('post', type.name).values()) {
    if (!field.showInRest || asked === undefined || !Object.hasOwn(asked, field.key)) continue
    const values = readValues(field, asked[field.key])
    await refuseStrangers(request, hooks, field.key, before)
    changes[field.key] = values
  }
  return changes
}

function readValues(field: MetaField, value: unknown): JsonValue[] {
  if (value === null) return []
  const list = field.single ? [value] : value
  if (!Array.isArray(list)) throw wrong(field.key, `meta.${field.key} is not of type array.`)
  return list.map((item) => {
    const result = readMetaValue(field, item)
    if (!result.success) throw wrong(field.key, `meta.${field.key}: ${result.error.issues[0]?.message ?? 'invalid'}`)
    return z.json().parse(result.data)
  })
}

/** A post that does not exist yet cannot be asked about; what is asked of it then is who may write the key at all. */
async function refuseStrangers(
  { user, can }: RestRequest,
  hooks: WriteParts['hooks'],
  key: string,
  before: Post | undefined,
): Promise<void> {
  const name: `auth_post_meta_${string}` = `auth_post_meta_${key}`
  const allowed = before
    ? await can('edit_post_meta', before.id, key)
    : hooks.applyFilters(name, !key.startsWith('_'), key, 0, user?.id ?? 0, 'edit_post_meta', [])
  if (!allowed) throw refused(user, 'rest_cannot_update', `Sorry, you are not allowed to edit the ${key} custom field.`)
}

function wrong(key: string, message: string) {
  return invalidParameter('meta', { code: 'rest_invalid_type', message, data: { param: `meta.${key}` } })
}
