import type { User, Users } from '../../core/auth/types.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { ApplicationPasswords, SecurityLog } from './types.ts'

type Recorder = Pick<SecurityLog, 'record'>

/** Records what happens to the accounts of users, and which extensions are switched, in the security log. */
export function recordAccounts(hooks: Pick<Hooks, 'addAction'>, { record }: Recorder): void {
  hooks.addAction('user_register', (_, user) => record('user_created', { user, detail: { roles: user.roles } }))
  hooks.addAction('profile_update', async (_, before, user) => {
    if (before.email !== user.email) await record('email_changed', { user })
    if (String(before.roles) !== String(user.roles)) {
      await record('roles_changed', { user, detail: { from: before.roles, to: user.roles } })
    }
  })
  hooks.addAction('deleted_user', (_id, _reassign, user) => record('user_deleted', { user }))
  hooks.addAction('activated_plugin', (extension) => record('extension_activated', { detail: { extension } }))
  hooks.addAction('deactivated_plugin', (extension) => record('extension_deactivated', { detail: { extension } }))
  hooks.addAction('license_changed', ({ active, plan }) =>
    record('license_changed', { detail: { state: active ? 'active' : 'inactive', plan: plan ?? '' } }),
  )
}

/** Records created and revoked application passwords in the security log. */
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
