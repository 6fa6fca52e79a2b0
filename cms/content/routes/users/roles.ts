import type { Auth } from '../../../../core/auth/types.ts'
import { RestError } from '../../../../core/errors.ts'
import type { Hooks } from '../../../../core/hooks/types.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { accessDenied } from '../errors.ts'

/**
 * Whether the caller may assign these roles; WordPress's `check_role_update`. In addition, users cannot give themselves a role with more
 * capabilities.
 */
export async function checkRoles(
  roles: readonly string[],
  id: number,
  request: RestRequest,
  { auth, hooks }: { auth: Auth; hooks: Hooks },
): Promise<void> {
  const all = auth.roles()
  const editable = hooks.applyFilters('editable_roles', [...all.keys()])
  const message = 'Sorry, you are not allowed to give users that role.'
  for (const name of roles) {
    const role = all.get(name)
    if (!role) {
      const unknown = `The role ${name.slice(0, 50)} does not exist.`
      throw new RestError('rest_user_invalid_role', unknown, { status: 400 })
    }
    if (!editable.includes(name)) throw new RestError('rest_user_invalid_role', message, { status: 403 })
    if (request.user?.id !== id) continue
    // Users cannot remove their own permission to edit users.
    if (!role.capabilities.has('edit_users')) throw accessDenied(request.user, 'rest_user_invalid_role', message)
    const own = auth.capabilities(request.user)
    if ([...role.capabilities].some((capability) => own[capability] !== true)) {
      throw accessDenied(request.user, 'rest_user_invalid_role', message)
    }
  }
}
