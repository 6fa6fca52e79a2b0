import type { Database } from '../database/index.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { createApplicationPasswords } from './application-passwords.ts'
import { createCan } from './capabilities.ts'
import { createIdentify } from './identify.ts'
import { createLicence } from './licence.ts'
import { createMetaCapabilities } from './meta-capabilities.ts'
import { createNonces } from './nonces.ts'
import { createPasswordHasher, type PasswordCost } from './password-hash.ts'
import { createRoles } from './roles.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInLimit } from './sign-in-limit.ts'
import type { Auth } from './types.ts'
import { createUsers } from './users.ts'
import './hooks.ts'

export type * from './types.ts'

export interface AuthParts {
  readonly database: Database
  readonly hooks: Hooks
  readonly options: Options
  /** Where the keys of nonces and application passwords come from. */
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
export async function createAuth(parts: AuthParts): Promise<Auth & { close(): Promise<void> }> {
  const { database, hooks, options, siteKey, config, log, now = () => Date.now(), passwordCost } = parts
  const roles = createRoles()
  const metaCapabilities = createMetaCapabilities({ database, hooks, options })
  const cookie = createSessionCookie(config.url)
  const nonces = createNonces(siteKey.derive('nonces'), now)
  const sessions = createSessions(database, now)
  const applicationPasswords = createApplicationPasswords(database, {
    key: siteKey.derive('application-passwords'),
    log,
    now,
  })
  const users = createUsers({
    database,
    hooks,
    hasher: createPasswordHasher(passwordCost),
    roles: roles.all,
    now,
    forget(userId) {
      sessions.forget(userId)
      applicationPasswords.forget(userId)
    },
    endSessions: (userId) => sessions.end(userId),
  })
  const limit = createSignInLimit(now, users)
  const licence = createLicence({ options, hooks, config, log, now })

  return {
    users,
    sessions,
    applicationPasswords,
    licence,
    can: createCan({ roles, metaCapabilities, hooks }),
    addCapabilityType: metaCapabilities.addCapabilityType,
    capabilities: (user) => ({ ...roles.capabilitiesOf(user.roles) }),
    roles: roles.all,
    addRole: roles.addRole,
    addCapabilities: roles.addCapabilities,
    ...createSignIn({ users, sessions, limit, hooks }),
    sessionCookie: cookie.write,
    ...createIdentify({ applicationPasswords, sessions, cookie, nonces, limit, hooks, log }),
    createNonce: nonces.create,
    verifyNonce: nonces.verify,
    async close() {
      licence.close()
      await applicationPasswords.settle()
    },
  }
}
