import type { Undo } from '../hooks/types.ts'
import type { AuthAdditions } from './additions.ts'
import type { MetaCapabilityResolver } from './meta-capability-resolver.ts'
import type { CoreAuth, SecurityEventDetails, User } from './types.ts'
import type { UserCondition } from './user-rows.ts'

/** Authentication and authorization as seen by parts of the product, which define the capabilities for their own objects. */
export interface HostAuth extends CoreAuth {
  /** Like `can`, for a user with these additional capabilities. */
  canWith(
    user: User | null,
    granted: Readonly<Record<string, boolean>>,
    capability: string,
    ...args: (number | string)[]
  ): Promise<boolean>
  addMetaCapabilities(resolver: MetaCapabilityResolver): Undo
  /** Adds a condition for members that a part adds to `UserQuery`. */
  addUserCondition(condition: UserCondition): Undo
  /** Cannot be undone; a later addition replaces an earlier one of the same name. */
  extendAuth(additions: AuthAdditions): void
  /** Does nothing if no part provides a security log. */
  recordSecurityEvent(event: string, details?: SecurityEventDetails): Promise<void>
}
