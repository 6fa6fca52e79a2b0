import type { Hooks } from '../hooks/types.ts'
import type { MetaCapabilities } from './meta-capabilities.ts'
import type { Roles } from './roles.ts'
import type { User } from './types.ts'

/** WordPress's `user_can`: answers whether a user has a capability; `null` is a visitor. */
export type Can = (user: User | null, capability: string, ...args: readonly (number | string)[]) => Promise<boolean>

export function createCan(parts: { roles: Roles; metaCapabilities: MetaCapabilities; hooks: Hooks }): Can {
  const { roles, metaCapabilities, hooks } = parts
  return async (user, capability, ...args) => {
    const userId = user?.id ?? 0
    const needed = await metaCapabilities.map(capability, userId, args)
    const own = roles.capabilitiesOf(user?.roles ?? [])
    // Everybody exists; only a callback may change its copy, so without one there is no need for any.
    const base = hooks.hasFilter('user_has_cap') ? { ...own, exist: true } : own
    const has = hooks.applyFilters('user_has_cap', base, needed, [capability, userId, ...args], user)
    return needed.every(
      (one) => one !== 'do_not_allow' && (one === 'exist' || (Object.hasOwn(has, one) && has[one] === true)),
    )
  }
}
