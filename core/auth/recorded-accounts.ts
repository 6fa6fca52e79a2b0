import type { ApplicationPasswords, SecurityLog, User, Users } from './types.ts'

type Recorder = Pick<SecurityLog, 'record'>

/** The users, with what happens to their accounts in the security log. */
export function recordUsers(users: Users, { record }: Recorder): Users {
  return {
    ...users,
    async create(asked) {
      const user = await users.create(asked)
      await record('user_created', { user, detail: { roles: user.roles } })
      return user
    },
    async update(id, changes, options) {
      const before = await users.get(id)
      const user = await users.update(id, changes, options)
      if (changes.password !== undefined) await record('password_changed', { user })
      if (before && before.email !== user.email) await record('email_changed', { user })
      if (before && String(before.roles) !== String(user.roles)) {
        await record('roles_changed', { user, detail: { from: before.roles, to: user.roles } })
      }
      return user
    },
    async delete(id, options) {
      const user = await users.get(id)
      await users.delete(id, options)
      await record('user_deleted', { user: user ?? null })
    },
  }
}

/** The application passwords, with those that are made and revoked in the security log. */
export function recordApplicationPasswords(
  passwords: ApplicationPasswords,
  users: Pick<Users, 'get'>,
  { record }: Recorder,
): ApplicationPasswords {
  const userOf = async (id: number): Promise<User | null> => (await users.get(id)) ?? null
  return {
    ...passwords,
    async create(userId, name, appId) {
      const made = await passwords.create(userId, name, appId)
      await record('application_password_created', { user: await userOf(userId), detail: { name: made.name } })
      return made
    },
    async revoke(userId, uuid) {
      const found = uuid === undefined ? undefined : await passwords.get(userId, uuid)
      const count = await passwords.revoke(userId, uuid)
      const detail = found ? { name: found.name } : { count }
      if (count > 0) await record('application_password_revoked', { user: await userOf(userId), detail })
      return count
    },
  }
}
