import type { Hooks } from '../../core/hooks/types.ts'
import './hooks.ts'
import type { ApplicationPasswords } from './types.ts'

/** Fires WordPress's actions when application passwords are created or revoked. */
export function announceApplicationPasswords(
  passwords: ApplicationPasswords,
  hooks: Pick<Hooks, 'doActionAsync'>,
): ApplicationPasswords {
  return {
    ...passwords,
    async create(userId, name, appId) {
      const made = await passwords.create(userId, name, appId)
      const { password, ...item } = made
      await hooks.doActionAsync('wp_create_application_password', userId, item, password)
      return made
    },
    async revoke(userId, uuid) {
      const all = await passwords.list(userId)
      const count = await passwords.revoke(userId, uuid)
      const revoked = count === 0 ? [] : all.filter((item) => uuid === undefined || item.uuid === uuid)
      for (const item of revoked) await hooks.doActionAsync('wp_delete_application_password', userId, item)
      return count
    },
  }
}
