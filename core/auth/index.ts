import type { Database } from '../database/index.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import { createVault } from '../options/secrets.ts'
import { createSiteInfo } from '../options/site-info.ts'
import type { Options } from '../options/types.ts'
import { announceApplicationPasswords } from './announced-passwords.ts'
import { createApplicationPasswords } from './application-passwords.ts'
import { createAuthenticate } from './authenticate.ts'
import { createCan } from './capabilities.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { filterShapes } from './hooks.ts'
import type { HostAuth } from './host-auth.ts'
import { createIdentify } from './identify.ts'
import { createLicence } from './licence.ts'
import { createMetaCapabilities } from './meta-capabilities.ts'
import { createNonces } from './nonces.ts'
import { createPasswordConfirmation } from './password-confirmation.ts'
import { createPasswordHasher, type PasswordCost } from './password-hash.ts'
import { createPasswordRules } from './password-rules.ts'
import { recordApplicationPasswords, recordUsers } from './recorded-accounts.ts'
import { createRoles } from './roles.ts'
import { createSecurityLog, type SecurityLogStore } from './security-log.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInLimit } from './sign-in-limit.ts'
import type { UserCondition } from './user-rows.ts'
import { createUsers } from './users.ts'

export type * from './types.ts'

export interface AuthParts {
  readonly database: Database
  readonly hooks: Hooks
  readonly options: Options
  /** Where the keys of nonces, application passwords and what is encrypted come from. */
  readonly siteKey: { derive(purpose: string): Buffer }
  readonly config: {
    readonly url: string
    readonly licenseKey?: string | undefined
    readonly licensePublicKey?: string | undefined
  }
  readonly log: Logger
  /** Milliseconds since 1970; a test may turn the clock. */
  readonly now?: () => number
  /** What hashing a password costs; a test may be cheaper. */
  readonly passwordCost?: PasswordCost | undefined
}

/** Users, roles, sessions, nonces, application passwords and the licence of one site (contract 2.4 and 2.6). */
export async function createAuth(
  parts: AuthParts,
): Promise<HostAuth & { readonly securityLog: SecurityLogStore; close(): Promise<void> }> {
  const { database, hooks, options, siteKey, config, log, now = () => Date.now(), passwordCost } = parts
  hooks.declareFilters(filterShapes)
  const roles = createRoles()
  const siteInfo = createSiteInfo(options, '')
  const metaCapabilities = createMetaCapabilities({ database, hooks })
  let userConditions: readonly UserCondition[] = []
  const cookie = createSessionCookie(config.url)
  const deviceCookie = createDeviceCookie(config.url, siteKey.derive('device cookies'))
  const nonces = createNonces(siteKey.derive('nonces'), now)
  const sessions = createSessions(database, now)
  const applicationPasswords = createApplicationPasswords(database, {
    key: siteKey.derive('application-passwords'),
    log,
    now,
  })
  const announced = announceApplicationPasswords(applicationPasswords, hooks)
  const securityLog = createSecurityLog(database, { log, now })
  const storedUsers = createUsers({
    database,
    hooks,
    hasher: createPasswordHasher(passwordCost),
    checkNewPassword: createPasswordRules(() => siteInfo().title),
    roles: roles.all,
    conditions: () => userConditions,
    now,
    forget(userId) {
      sessions.forget(userId)
      applicationPasswords.forget(userId)
    },
    endSessions: (userId, keep) => (keep === undefined ? sessions.end(userId) : sessions.endOthers(userId, keep)),
    revokeApplicationPasswords: (userId) => announced.revoke(userId),
  })
  const users = recordUsers(storedUsers, securityLog)
  const limit = createSignInLimit(now, users)
  const authenticate = createAuthenticate({ users, limit, deviceCookie, hooks })
  const licence = await createLicence({ options, vault: createVault(siteKey), hooks, config, log, now })

  return {
    users,
    sessions,
    applicationPasswords: recordApplicationPasswords(announced, users, securityLog),
    licence,
    securityLog,
    ...createCan({ roles, metaCapabilities, hooks }),
    addMetaCapabilities: metaCapabilities.add,
    addUserCondition(condition) {
      userConditions = [...userConditions, condition]
      return () => {
        userConditions = userConditions.filter((other) => other !== condition)
      }
    },
    capabilities: (user) => ({ ...roles.capabilitiesOf(user.roles) }),
    roles: roles.all,
    addRole: roles.addRole,
    addCapabilities: roles.addCapabilities,
    ...createSignIn({ authenticate, sessions, hooks, users, securityLog }),
    ...createPasswordConfirmation({ authenticate, sessions, securityLog, now }),
    sessionCookie: cookie.write,
    deviceCookie: deviceCookie.write,
    ...createIdentify({ applicationPasswords, sessions, cookie, nonces, limit, hooks, users, securityLog, log }),
    createNonce: nonces.create,
    verifyNonce: nonces.verify,
    async close() {
      licence.close()
      await applicationPasswords.settle()
      await securityLog.settle()
    },
  }
}
