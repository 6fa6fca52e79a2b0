import type { Responses } from '../../api/responses.ts'

/** A user as `wp/v2/users` returns it to those who may edit it. */
export type UserItem = Responses['Users']

export type RoleItem = Responses['GET /host/v1/roles']['items'][number]

export const USERS = 'wp/v2/users'
export const ROLES = 'host/v1/roles'

/** 20 unambiguous letters and digits: about 115 bits of entropy. */
export function newPassword(): string {
  const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  // Bytes from 228 on would bias the result towards the first characters.
  const most = 256 - (256 % letters.length)
  let password = ''
  while (password.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < most && password.length < 20) password += letters[byte % letters.length]
    }
  }
  return password
}
