import type { Undo } from '../hooks/types.ts'
import type { MetaCapabilityResolver } from './meta-capability-resolver.ts'
import type { SecurityLogStore } from './security-log.ts'
import type { Auth, User } from './types.ts'
import type { UserCondition } from './user-rows.ts'

/** Who may do what, as the parts of the site have it: they tell what capabilities on their own things ask for. */
export interface HostAuth extends Auth {
  readonly securityLog: SecurityLogStore
  /** As `can`, of somebody who has these capabilities too. */
  canWith(
    user: User | null,
    granted: Readonly<Record<string, boolean>>,
    capability: string,
    ...args: (number | string)[]
  ): Promise<boolean>
  addMetaCapabilities(resolver: MetaCapabilityResolver): Undo
  /** For members that a part adds to `UserQuery`. */
  addUserCondition(condition: UserCondition): Undo
}
