import { createAccounts, type SecurityLogStore, type TwoFactor } from '../../cms/accounts/index.ts'
import { createLicense } from '../../cms/license/index.ts'
import type { License } from '../../cms/license/types.ts'
import { type AuthParts, createAuth, type HostAuth } from '../../core/auth/index.ts'
import type { Auth } from '../../core/auth/types.ts'
import { createSiteInfo, createVault, type SiteKey } from '../../core/options/index.ts'
import type { Options } from '../../core/options/types.ts'

export interface SiteAuthParts extends AuthParts {
  readonly options: Options
  readonly siteKey: SiteKey
  readonly twoFactorRoles?: () => readonly string[]
  readonly config: {
    readonly url: string
    readonly licenseKey?: string | undefined
    readonly licensePublicKey?: string | undefined
  }
}

export interface SiteAuth extends HostAuth, Auth {
  readonly license: License
  readonly securityLog: SecurityLogStore
  readonly twoFactor: TwoFactor
  /** Writes what the security log only counted so far, and stops waiting for the license to expire. */
  close(): Promise<void>
}

/** Users, their accounts and the license, of a site that a test puts together from parts. */
export async function createSiteAuth(parts: SiteAuthParts): Promise<SiteAuth> {
  const { options, hooks, siteKey, config, log, now } = parts
  const siteInfo = createSiteInfo(options, '')
  const accounts = await createAccounts({ ...parts, auth: createAuth(parts), siteTitle: () => siteInfo().title })
  const license = await createLicense({ options, vault: createVault(siteKey), hooks, config, log, now })
  return {
    ...accounts.auth,
    license,
    securityLog: accounts.securityLog,
    twoFactor: accounts.twoFactor,
    async close() {
      license.close()
      await accounts.close()
    },
  }
}
