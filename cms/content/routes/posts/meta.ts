import type { User } from '../../../../core/auth/types.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Meta, Post } from '../../types.ts'
import { askedMeta } from '../declared-meta.ts'
import { accessDenied } from '../errors.ts'
import type { WriteParts } from '../parts.ts'

/** Changes to a post's meta in a request. */
export async function metaChanges(
  request: RestRequest,
  { content, type, hooks }: WriteParts,
  asked: Readonly<Record<string, unknown>> | undefined,
  before: Post | undefined,
): Promise<Meta> {
  const values = askedMeta(content, { kind: 'post', subtype: type.name }, asked)
  for (const key of values.keys()) await checkWriters(request, hooks, key, before)
  return Object.fromEntries(values)
}

/** Whether a user may write the key of posts that they may edit. */
export function mayWriteAtAll(hooks: WriteParts['hooks'], key: string, user: User | null): boolean {
  const name: `auth_post_meta_${string}` = `auth_post_meta_${key}`
  return hooks.applyFilters(name, !key.startsWith('_'), key, 0, user?.id ?? 0, 'edit_post_meta', [])
}

/** For a post that does not exist yet, only the permission for the key itself can be checked. */
async function checkWriters(
  { user, can }: RestRequest,
  hooks: WriteParts['hooks'],
  key: string,
  before: Post | undefined,
): Promise<void> {
  const allowed = before ? await can('edit_post_meta', before.id, key) : mayWriteAtAll(hooks, key, user)
  if (!allowed)
    throw accessDenied(user, 'rest_cannot_update', `Sorry, you are not allowed to edit the ${key} custom field.`)
}
