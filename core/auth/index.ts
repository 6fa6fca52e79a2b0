import type { Config } from '../config.ts'
import type { SiteDatabase } from '../database/index.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import type { AuthAdditions } from './additions.ts'
import { createCan } from './capabilities.ts'
import { filterShapes } from './hooks.ts'
import type { HostAuth } from './host-auth.ts'
import { createIdentify } from './identify.ts'
import { createMetaCapabilities } from './meta-capabilities.ts'
import { createNonces } from './nonces.ts'
import { createPasswordHasher, type PasswordCost } from './password-hash.ts'
import { createRoles } from './roles.ts'
import { createSessionActions } from './session-actions.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessions } from './sessions.ts'
import type { UserCondition } from './user-rows.ts'
import { createUsers } from './users.ts'

export { createCurrentUser } from './current-user.ts'
export type { HostAuth } from './host-auth.ts'
export { ANONYMOUS } from './identify.ts'
export { CHEAPEST } from './password-hash.ts'

export type * from './types.ts'

export interface AuthParts {
  readonly database: SiteDatabase
  readonly hooks: Hooks
  /** Source of the key for nonces. */
  readonly siteKey: { derive(purpose: string): Buffer }
  readonly config: Pick<Config, 'url'> & Partial<Pick<Config, 'nodes'>>
  readonly log: Logger
  /** Returns milliseconds since the epoch; replaceable in tests. */
  readonly now?: () => number
  /** Cost of password hashing; lower in tests. */
  readonly passwordCost?: PasswordCost | undefined
}

/** Users, roles, sessions and nonces of one site. */
export function createAuth(parts: AuthParts): HostAuth {
  const { database, hooks, siteKey, config, log, now = () => Date.now(), passwordCost } = parts
  hooks.declareFilters(filterShapes)
  const roles = createRoles()
  const metaCapabilities = createMetaCapabilities(hooks)
  let userConditions: readonly UserCondition[] = []
  let additions: AuthAdditions = {}
  const added = () => additions
  const cookie = createSessionCookie(config.url)
  const nonces = createNonces(siteKey.derive('nonces'), now)
  const sessions = createSessions(database, now, config.nodes === 'many')
  const users = createUsers({
    ...{ database, hooks, sessions, added, now },
    hasher: createPasswordHasher(passwordCost),
    roles: roles.all,
    conditions: () => userConditions,
  })
  const recordSecurityEvent: HostAuth['recordSecurityEvent'] = async (event, details) => {
    await additions.record?.(event, details)
  }

  return {
    ...{ users, sessions, recordSecurityEvent },
    ...createCan({ roles, metaCapabilities, hooks }),
    addMetaCapabilities: metaCapabilities.add,
    addUserCondition(condition) {
      userConditions = [...userConditions, condition]
      return () => {
        userConditions = userConditions.filter((other) => other !== condition)
      }
    },
    extendAuth(more) {
      additions = { ...additions, ...more }
    },
    capabilities: (user) => ({ ...roles.capabilitiesOf(user.roles) }),
    roles: roles.all,
    addRole: roles.addRole,
    addCapabilities: roles.addCapabilities,
    ...createSessionActions({ sessions, hooks, users, recordSecurityEvent }),
    sessionCookie: cookie.write,
    ...createIdentify({ sessions, cookie, nonces, added, log }),
    createNonce: nonces.create,
    verifyNonce: nonces.verify,
  }
}
