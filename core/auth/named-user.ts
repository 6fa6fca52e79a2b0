import type { User, Users } from './types.ts'

/** Whom people mean who sign in: by login name, else by e-mail address, as `Users.checkPassword` looks. */
export async function namedUser(
  users: Pick<Users, 'getByLogin' | 'getByEmail'>,
  name: string,
): Promise<User | undefined> {
  return (await users.getByLogin(name)) ?? (await users.getByEmail(name))
}
