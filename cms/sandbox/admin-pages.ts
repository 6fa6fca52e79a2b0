import type { z } from 'zod'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import type { pageSchema } from '../admin/pages.ts'
import { type GrantedPermissions, PermissionError } from './permissions.ts'

type Page = z.output<typeof pageSchema>

/** Segments that browsers resolve, also if they are encoded. */
const LEADS_ELSEWHERE = /(?:^|\/)\.+(?:\/|\?|$)|%/

/**
 * Adds a page of a sandboxed extension to the admin. Its parts use only routes of the extension: a button would otherwise do anything that
 * the administrator who clicks it may do.
 *
 * @throws PermissionError; Error that names the route
 */
export function addPage(page: Page, host: ExtensionHost, granted: GrantedPermissions): void {
  const { slug, title, capability, parent, icon, parts, module } = page
  if (!granted.adminPages) throw new PermissionError('A page in the admin', 'adminPages')
  if (module !== undefined || parts === undefined) {
    throw new Error(
      `The page "${slug}" has a module, which would run outside of the sandbox. Describe its parts instead.`,
    )
  }
  const own = new RegExp(`^${host.id}/v\\d+/`)
  const foreign = parts.flatMap(routesOf).find((route) => !own.test(route) || LEADS_ELSEWHERE.test(route))
  if (foreign !== undefined) throw new Error(`The page "${slug}" may use only routes of ${host.id}/v1, not ${foreign}.`)
  host.admin.addPage({ slug, title, capability, parent, icon, parts })
}

function routesOf(part: NonNullable<Page['parts']>[number]): readonly string[] {
  if (part.type === 'buttons') return part.buttons.map(({ route }) => route)
  if (part.type === 'table') {
    const { route, actions = [], details } = part
    const forms = details?.parts.flatMap((one) => (one.type === 'form' ? [one.button.route] : [])) ?? []
    return [route, ...actions.map((button) => button.route), ...(details ? [details.route] : []), ...forms]
  }
  return part.type === 'stats' ? [part.route] : []
}
