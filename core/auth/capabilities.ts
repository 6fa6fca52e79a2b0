import { ContentClosed } from '../hooks/errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { currentRequest } from '../http/request-context.ts'
import type { HostAuth } from './host-auth.ts'
import type { MetaCapabilities } from './meta-capabilities.ts'
import type { Roles } from './roles.ts'
import type { User } from './types.ts'

type Args = readonly (number | string)[]

/** WordPress's `user_can`: whether a user has a capability; `null` is an anonymous visitor. */
export function createCan(parts: {
  roles: Roles
  metaCapabilities: MetaCapabilities
  hooks: Hooks
}): Pick<HostAuth, 'can' | 'canWith' | 'has'> {
  const { roles, metaCapabilities, hooks } = parts

  function hasAll(
    needed: readonly string[],
    user: User | null,
    capability: string,
    args: Args,
    more?: Readonly<Record<string, boolean>>,
  ): boolean {
    const userId = user?.id ?? 0
    const ofRoles = roles.capabilitiesOf(user?.roles ?? [])
    const own = more ? { ...ofRoles, ...more } : ofRoles
    // `exist` is added only for callbacks, which receive a copy; below, every user has it.
    const base = hooks.hasFilter('user_has_cap') ? { ...own, exist: true } : own
    const has = hooks.applyFilters('user_has_cap', base, needed, [capability, userId, ...args], user)
    return needed.every(
      (one) => one !== 'do_not_allow' && (one === 'exist' || (Object.hasOwn(has, one) && has[one] === true)),
    )
  }

  /**
   * The result if a protective capability filter failed: denied, except for users who can deactivate the extension. Other errors
   * propagate.
   */
  function orAdministrator(user: User | null, error: unknown): boolean {
    if (!(error instanceof ContentClosed)) throw error
    currentRequest()?.markIncomplete()
    return roles.capabilitiesOf(user?.roles ?? []).activate_plugins === true
  }

  async function can(
    user: User | null,
    capability: string,
    args: Args,
    more?: Readonly<Record<string, boolean>>,
  ): Promise<boolean> {
    try {
      return hasAll(await metaCapabilities.map(capability, user?.id ?? 0, args), user, capability, args, more)
    } catch (error) {
      return orAdministrator(user, error)
    }
  }

  return {
    can: (user, capability, ...args) => can(user, capability, args),
    canWith: (user, granted, capability, ...args) => can(user, capability, args, granted),
    has(user, capability) {
      try {
        return hasAll(metaCapabilities.mapGeneral(capability, user?.id ?? 0), user, capability, [])
      } catch (error) {
        return orAdministrator(user, error)
      }
    },
  }
}
