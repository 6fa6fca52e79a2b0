import type { Undo } from '../hooks/types.ts'
import type { AuthAdditions } from './additions.ts'
import type { Authenticate } from './authenticate.ts'
import type { MetaCapabilityResolver } from './meta-capability-resolver.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import type { CoreAuth, SecurityEventDetails, User } from './types.ts'
import type { UserCondition } from './user-rows.ts'

/** Who may do what, for parts of the site: they define what capabilities on their own objects require. */
export interface HostAuth extends CoreAuth {
  /** As `can`, for a user who has these capabilities too. */
  canWith(
    user: User | null,
    granted: Readonly<Record<string, boolean>>,
    capability: string,
    ...args: (number | string)[]
  ): Promise<boolean>
  addMetaCapabilities(resolver: MetaCapabilityResolver): Undo
  /** For members that a part adds to `UserQuery`. */
  addUserCondition(condition: UserCondition): Undo
  /** For the time that the host runs; of a member that two parts add, the later one's counts. */
  extendAuth(additions: AuthAdditions): void
  /** Checks a password, within the limits of the sign-in form. */
  readonly authenticate: Authenticate
  readonly signInLimit: SignInLimit
  /** Does nothing where no part adds a log. */
  recordSecurityEvent(event: string, details?: SecurityEventDetails): Promise<void>
}
