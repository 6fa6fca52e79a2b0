import type { MetaCapabilityResolver } from '../../core/auth/meta-capability-resolver.ts'
import type { Database } from '../../core/database/index.ts'
import { isRowId } from '../../core/database/row-id.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { mapMetaField } from '../content/capabilities/meta-field.ts'

/** A user, and the field of it, for the `auth_user_meta_<key>` filter. */
type MetaField = [userId: number] | [userId: number, metaKey: string]

declare module '../../core/auth/capability-names.ts' {
  interface Capabilities {
    edit_user_meta: MetaField
    delete_user_meta: MetaField
    add_user_meta: MetaField
    create_app_password: [userId: number]
    list_app_passwords: [userId: number]
    read_app_password: [userId: number] | [userId: number, uuid: string]
    edit_app_password: [userId: number] | [userId: number, uuid: string]
    delete_app_passwords: [userId: number]
    delete_app_password: [userId: number] | [userId: number, uuid: string]
  }
}

const USER_META = /^(edit|delete|add)_user_meta$/

/** Maps capabilities for fields of a user, as in WordPress's `map_meta_cap`. */
export function createAccountCapabilities({
  database,
  hooks,
}: {
  readonly database: Pick<Database, 'db'>
  readonly hooks: Hooks
}): MetaCapabilityResolver {
  async function exists(id: number): Promise<boolean> {
    if (!isRowId(id)) return false
    const row = await database.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
    return row !== undefined
  }
  return {
    nameOf: (capability) => (USER_META.test(capability) ? capability : undefined),
    map(capability, userId, args, map) {
      return mapMetaField(capability, args, {
        exists,
        edit: (id) => map('edit_user', userId, [id]),
        isAllowed(isOpen, metaKey, id, needed) {
          const name: `auth_user_meta_${string}` = `auth_user_meta_${metaKey}`
          return hooks.applyFilters(name, isOpen, metaKey, id, userId, capability, needed)
        },
      })
    },
  }
}
