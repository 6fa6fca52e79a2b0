import type { HostAuth } from '../../core/auth/host-auth.ts'
import type { Auth } from '../../core/auth/types.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { createVault } from '../../core/options/secrets.ts'
import type { SiteKey } from '../../core/options/site-key.ts'
import { type AccountLinks, createAccountLinks } from './account-links.ts'
import { announceApplicationPasswords } from './announced-passwords.ts'
import { createApplicationPasswords } from './application-passwords.ts'
import { createAuthenticate } from './authenticate.ts'
import { createBasicAuthentication } from './basic-authentication.ts'
import { createAccountCapabilities } from './capabilities.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { disallowFileMods } from './file-mods.ts'
import { filterShapes } from './hooks.ts'
import { createOAuth, type OAuthServer } from './oauth/index.ts'
import { createPasswordConfirmation } from './password-confirmation.ts'
import { type CheckNewPassword, createPasswordRules } from './password-rules.ts'
import { recordAccounts, recordApplicationPasswords } from './recorded-accounts.ts'
import { createSecurityLog, type SecurityLogStore } from './security-log.ts'
import { createSharedSignInLimit } from './shared-sign-in-limit.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInLimit } from './sign-in-limit.ts'
import { accountTables } from './tables.ts'
import { createTwoFactor } from './two-factor/index.ts'
import type { TwoFactor } from './two-factor/types.ts'

export { createEmailChanges } from './email-change.ts'
export { registerEmailChangeRoutes } from './email-change-routes.ts'
export { createFirstAdministrator, type FirstAdministrator } from './first-run.ts'
export { registerOAuthRoutes } from './oauth/routes.ts'
export { registerPasswordLinkRoute } from './password-link-routes.ts'
export { createPasswordLinks, type PasswordLinks } from './password-links.ts'
export { registerAccountRoutes } from './routes.ts'
export type { SecurityLogStore } from './security-log.ts'
export { registerTwoFactorRoutes } from './two-factor/routes.ts'
export { type TwoFactor, TwoFactorRequired } from './two-factor/types.ts'
export { assertionSchema } from './two-factor/webauthn.ts'

export interface AccountParts {
  readonly auth: HostAuth
  readonly database: SiteDatabase
  readonly hooks: Hooks
  /** Source of the keys for device cookies, application passwords, and two-factor authentication. */
  readonly siteKey: SiteKey
  readonly config: { readonly url: string; readonly disallowFileMods?: boolean; readonly nodes?: 'one' | 'many' }
  readonly log: Logger
  readonly siteTitle: () => string
  /** Roles whose users must have a second factor; default: none. */
  readonly twoFactorRoles?: () => readonly string[]
  /** Returns milliseconds since the epoch; replaceable in tests. */
  readonly now?: () => number
}

export interface Accounts {
  /** Authentication and authorization, including the additions of this part. */
  readonly auth: HostAuth & Auth
  /** Members of `host.auth` for extensions. */
  readonly view: ExtensionView
  readonly securityLog: SecurityLogStore
  readonly links: AccountLinks
  readonly checkNewPassword: CheckNewPassword
  readonly twoFactor: TwoFactor
  readonly oauth: OAuthServer
  close(): Promise<void>
}

/**
 * Account security: login with rate limits, application passwords, password rules and confirmation, two-factor authentication, OAuth for MCP
 * clients, device cookies, and the security log.
 */
export async function createAccounts(parts: AccountParts): Promise<Accounts> {
  const { auth, database, hooks, siteKey, config, log, siteTitle, now = () => Date.now() } = parts
  const { twoFactorRoles: requiredRoles = () => [] } = parts
  const { users } = auth
  hooks.declareFilters(filterShapes)
  if (config.disallowFileMods) hooks.addFilter('map_meta_cap', disallowFileMods)
  await database.migrate(accountTables.owner, accountTables.migrations(database.kind))
  const securityLog = createSecurityLog(database, { log, now })
  const links = createAccountLinks(database, now)
  const checkNewPassword = createPasswordRules(siteTitle)
  const deviceCookie = createDeviceCookie(config.url, siteKey.derive('device cookies'))
  const applicationPasswords = createApplicationPasswords(database, {
    key: siteKey.derive('application-passwords'),
    isShared: config.nodes === 'many',
    log,
    now,
  })
  const announced = announceApplicationPasswords(applicationPasswords, hooks)
  const shared =
    config.nodes === 'many' ? createSharedSignInLimit(database, siteKey.derive('failed logins'), now) : undefined
  const limit = createSignInLimit(now, users)
  const authenticate = createAuthenticate({ users, limit, shared, deviceCookie, hooks })
  const confirmation = createPasswordConfirmation({ authenticate, database, securityLog, now })
  const twoFactor = createTwoFactor({
    ...{ database, users, securityLog, log, siteTitle, requiredRoles, now },
    vault: createVault(siteKey),
    key: siteKey.derive('two-factor logins'),
    siteUrl: config.url,
  })
  const oauth = createOAuth({ database, users, securityLog, siteUrl: config.url, now })

  auth.extendAuth({
    authenticateRequest: createBasicAuthentication({ applicationPasswords, hooks, users, securityLog, limit, shared }),
    checkNewPassword,
    async passwordChanged(user) {
      // The former password may have created some of them.
      await announced.revoke(user.id)
      await oauth.revokeAll(user.id)
      await links.revoke(user.id, 'password')
      await securityLog.record('password_changed', { user })
    },
    invalidateUser: applicationPasswords.invalidate,
    record: securityLog.record,
  })
  auth.addMetaCapabilities(createAccountCapabilities({ database, hooks }))
  recordAccounts(hooks, securityLog)

  const added = {
    ...confirmation,
    signIn: createSignIn({
      ...{ authenticate, users, hooks, securityLog, startSession: auth.startSession },
      checkSecondFactor: (user, { remember = false }) => twoFactor.check(user, remember),
    }),
    applicationPasswords: recordApplicationPasswords(announced, users, securityLog),
    deviceCookie: deviceCookie.write,
    securityLog: { record: securityLog.record, query: securityLog.query },
    oauth: { userOf: oauth.userOf, challenge: oauth.challenge },
  }
  const view = { auth: serviceView(added) }
  return {
    auth: { ...auth, ...added },
    view: () => view,
    securityLog,
    links,
    checkNewPassword,
    twoFactor,
    oauth,
    async close() {
      await applicationPasswords.settle()
      await securityLog.settle()
    },
  }
}
