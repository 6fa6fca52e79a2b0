/** A user as `wp/v2/users` shows it to who may edit it. */
export interface UserItem {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly url: string
  readonly description: string
  readonly link: string
  readonly locale: string
  readonly nickname: string
  readonly slug: string
  readonly roles: readonly string[]
  readonly registered_date: string
}

export interface RoleItem {
  readonly role: string
  readonly name: string
  readonly capabilities: readonly string[]
}

export const USERS = 'wp/v2/users'
export const ROLES = 'host/v1/roles'

/** 20 letters and digits that are not easily mistaken for each other: about 115 bits. */
export function newPassword(): string {
  const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  // Bytes from 228 on would make the first letters likelier than the others.
  const most = 256 - (256 % letters.length)
  let password = ''
  while (password.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < most && password.length < 20) password += letters[byte % letters.length]
    }
  }
  return password
}
