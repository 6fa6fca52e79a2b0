import { asVisitor, currentRequest } from '../http/request-context.ts'
import type { CapabilityArguments, CapabilityName, OfferedCapability } from './capability-check.ts'
import type { CoreAuth, User } from './types.ts'

/**
 * The current user, for code that renders: hooks, shortcodes, blocks, template filters and REST. **Calling any of these functions marks
 * the response as varying by user**: no cache stores it, neither the site's own nor one in front of it.
 *
 * Outside of requests (jobs, timers, commands, `init`), the current user is an anonymous visitor.
 */
export interface CurrentUser {
  /** Whether the current user is logged in: WordPress's `is_user_logged_in`. */
  isUserLoggedIn(): boolean
  /** The current user; `null` for an anonymous visitor. WordPress's `wp_get_current_user`. */
  getCurrentUser(): User | null
  /**
   * Whether the current user has a capability: WordPress's `current_user_can`. For a post, term, comment or user
   * (`currentUserCan('edit_post', 7)`) it returns a promise: **await it**, because a promise is always truthy.
   */
  currentUserCan<Name extends OfferedCapability, Ids extends CapabilityArguments<Name>>(
    capability: CapabilityName<Name>,
    ...ids: Ids
  ): Ids extends readonly [] ? boolean : Promise<boolean>
  /**
   * Runs work whose result is shared by many users: an index, a feed, a stored text. During the work, the current user is an anonymous
   * visitor, and reading it does not mark the response.
   */
  asVisitor<Result>(work: () => Result | Promise<Result>): Promise<Result>
}

export function createCurrentUser(auth: Pick<CoreAuth, 'can' | 'has'>): CurrentUser {
  const getCurrentUser = () => currentRequest()?.identity.user ?? null

  function currentUserCan(capability: string): boolean
  function currentUserCan(capability: string, id: number, ...more: readonly (number | string)[]): Promise<boolean>
  function currentUserCan(capability: string, ...ids: readonly (number | string)[]): boolean | Promise<boolean> {
    const user = getCurrentUser()
    return ids.length === 0 ? auth.has(user, capability) : auth.can(user, capability, ...ids)
  }

  return {
    getCurrentUser,
    isUserLoggedIn: () => getCurrentUser() !== null,
    currentUserCan,
    asVisitor: async (work) => (await asVisitor(work)).result,
  }
}
