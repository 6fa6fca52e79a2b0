import { asVisitor, currentRequest } from '../http/request-context.ts'
import type { CapabilityArguments, CapabilityName, OfferedCapability } from './capability-check.ts'
import type { CoreAuth, User } from './types.ts'

/**
 * Who reads, for code that renders: in hooks, shortcodes, blocks, templates' filters and REST alike. **Asking marks the
 * answer as varying by user**: no cache stores it, neither the site's nor one in front of it.
 *
 * Where there is no reader (jobs, timers, commands, `init`) they answer as for a visitor without a session.
 */
export interface CurrentUser {
  /** Whether the reader is signed in: WordPress's `is_user_logged_in`. */
  isUserLoggedIn(): boolean
  /** The reader; `null` for a visitor. WordPress's `wp_get_current_user`. */
  getCurrentUser(): User | null
  /**
   * Whether the reader has a capability: WordPress's `current_user_can`. About one post, term, comment or user
   * (`currentUserCan('edit_post', 7)`) it has to look that up: **await it**, a promise is always true.
   */
  currentUserCan<Name extends OfferedCapability, Ids extends CapabilityArguments<Name>>(
    capability: CapabilityName<Name>,
    ...ids: Ids
  ): Ids extends readonly [] ? boolean : Promise<boolean>
  /**
   * Does work whose result many users get: an index, a feed, a text to be stored. In it
   * every reader is a visitor, no page is shown, and asking marks nothing.
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
