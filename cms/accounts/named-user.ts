import type { User, Users } from '../../core/auth/types.ts'

/** The user with that login name or, failing that, e-mail address; the same lookup as in `Users.checkPassword`. */
export async function namedUser(
  users: Pick<Users, 'getByLogin' | 'getByEmail'>,
  name: string,
): Promise<User | undefined> {
  return (await users.getByLogin(name)) ?? (await users.getByEmail(name))
}
