import type { AccessRequest } from '../../../../core/rest/types.ts'
import { accessDenied } from '../errors.ts'

/** Menus are for users who can edit theme options; visitors see them on pages. */
export async function mayEditMenus(request: AccessRequest): Promise<boolean> {
  if (await request.can('edit_theme_options')) return true
  throw accessDenied(request.user, 'rest_cannot_view', 'Sorry, you are not allowed to view menus.')
}
