import type { Site } from '../app/create-site.ts'
import type { User } from '../core/auth/types.ts'

/**
 * The user that an argument names: by login, email address or ID, in this order, so that a login of digits is found.
 *
 * @throws Error if there is none
 */
export async function findUser({ auth }: Site, name: string): Promise<User> {
  const { users } = auth
  const byName = (await users.getByLogin(name)) ?? (name.includes('@') ? await users.getByEmail(name) : undefined)
  const user = byName ?? (/^\d{1,9}$/.test(name) ? await users.get(Number(name)) : undefined)
  if (!user) throw new Error(`There is no user "${name}".`)
  return user
}

/** The user for whom commands act: the first administrator. */
export async function findAdministrator({ auth }: Site): Promise<User | undefined> {
  const { items } = await auth.users.query({ roles: ['administrator'], orderBy: 'id', order: 'asc', limit: 1 })
  return items[0]
}
