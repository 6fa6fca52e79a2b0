import { randomBytes } from 'node:crypto'
import type { CoreAuth } from '../../core/auth/types.ts'
import type { Config } from '../../core/config.ts'
import { RestError } from '../../core/errors.ts'

/** The administrator that a new site starts with. */
export interface FirstAdministrator {
  readonly login: string
  /** To be shown once; `null` where the configuration gave it. */
  readonly password: string | null
}

/**
 * Creates the first administrator if the site has no users yet.
 * @throws Error if the configured password violates the password rules
 */
export async function createFirstAdministrator(
  { users }: Pick<CoreAuth, 'users'>,
  { adminUser, adminPassword, adminEmail }: Config,
): Promise<FirstAdministrator | undefined> {
  const { total } = await users.query({ limit: 1 })
  if (total > 0) return undefined
  const password = adminPassword ?? randomBytes(18).toString('base64url')
  try {
    await users.create({ login: adminUser, password, email: adminEmail, roles: ['administrator'] })
  } catch (error) {
    if (!(error instanceof RestError)) throw error
    // Another node that starts at the same time has done so, perhaps after the username was looked up and before the email address was.
    if (error.code === 'existing_user_login' || error.code === 'existing_user_email') return undefined
    if (error.code !== 'rest_user_invalid_password') throw error
    throw new Error(`PENTAD_ADMIN_PASSWORD is not valid for the first administrator: ${error.message}`)
  }
  return { login: adminUser, password: adminPassword ? null : password }
}
