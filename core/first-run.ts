import { randomBytes } from 'node:crypto'
import type { Auth } from './auth/types.ts'
import type { Config } from './config.ts'

/** The administrator that a new site starts with. */
export interface FirstAdministrator {
  readonly login: string
  /** To be shown once; `null` where the configuration gave it. */
  readonly password: string | null
}

/** Makes the first administrator if the site has no users yet. */
export async function createFirstAdministrator(
  auth: Auth,
  { adminUser, adminPassword, adminEmail }: Config,
): Promise<FirstAdministrator | undefined> {
  const { total } = await auth.users.query({ limit: 1 })
  if (total > 0) return undefined
  const password = adminPassword ?? randomBytes(15).toString('base64url')
  await auth.users.create({ login: adminUser, password, email: adminEmail, roles: ['administrator'] })
  return { login: adminUser, password: adminPassword ? null : password }
}
