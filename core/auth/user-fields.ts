import { z } from 'zod'
import { RestError } from '../errors.ts'
import { oneLine, withoutNul } from './text.ts'
import type { NewUser } from './types.ts'

/** WordPress's limits, in characters. */
const LOGIN_LENGTH = 60
const SLUG_LENGTH = 50
/** Maximum length of a password, in characters: longer ones only take longer to hash. */
export const PASSWORD_LENGTH = 4096
const EMAIL_LENGTH = 100
const LINE_LENGTH = 250
const DESCRIPTION_LENGTH = 65_535

const emailSchema = z.email().max(EMAIL_LENGTH)
const urlSchema = z.url({ protocol: /^https?$/ }).max(LINE_LENGTH)

function invalid(code: string, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}

/** Validates a login name: the characters of WordPress's strict `sanitize_user`. */
export function checkLogin(login: string): string {
  if (login === '') throw invalid('empty_user_login', 'Cannot create a user with an empty login name.')
  if (login.length > LOGIN_LENGTH) {
    throw invalid('user_login_too_long', `Username may not be longer than ${LOGIN_LENGTH} characters.`)
  }
  if (!/^[a-z0-9_.@-]+(?: [a-z0-9_.@-]+)*$/i.test(login)) {
    const message = 'This username is invalid because it uses illegal characters. Please enter a valid username.'
    throw invalid('rest_user_invalid_username', message)
  }
  return login
}

/** Validates an e-mail address; it is optional, so it may be empty. */
export function checkEmail(email: string): string {
  if (email !== '' && !emailSchema.safeParse(email).success) {
    throw invalid('rest_user_invalid_email', 'Invalid email address.')
  }
  return email
}

/** Basic rules for passwords; other parts of the product can add rules. */
export function checkPassword(password: string): void {
  if (password === '') throw invalid('rest_user_invalid_password', 'Passwords cannot be empty.')
  if (password.length > PASSWORD_LENGTH) {
    throw invalid('rest_user_invalid_password', `Passwords cannot be longer than ${PASSWORD_LENGTH} characters.`)
  }
}

export function checkRoles(roles: readonly string[], known: ReadonlyMap<string, unknown>): readonly string[] {
  const unknown = roles.find((role) => !known.has(role))
  if (unknown !== undefined) {
    throw invalid('rest_user_invalid_role', `The role ${oneLine(unknown).slice(0, 50)} does not exist.`)
  }
  return [...new Set(roles)]
}

/** The columns of the supplied text fields; an invalid URL is stored as empty, as in WordPress. */
export function profileColumns(user: Partial<NewUser>): Partial<{
  first_name: string
  last_name: string
  display_name: string
  locale: string
  description: string
  url: string
}> {
  const line = (text: string) => oneLine(text).slice(0, LINE_LENGTH)
  return {
    ...(user.firstName !== undefined && { first_name: line(user.firstName) }),
    ...(user.lastName !== undefined && { last_name: line(user.lastName) }),
    ...(user.displayName !== undefined && { display_name: line(user.displayName) }),
    ...(user.locale !== undefined && { locale: line(user.locale) }),
    ...(user.description !== undefined && { description: withoutNul(user.description).slice(0, DESCRIPTION_LENGTH) }),
    ...(user.url !== undefined && { url: urlSchema.safeParse(user.url).success ? user.url : '' }),
  }
}

/** Default display name, as in WordPress's `wp_insert_user`. */
export function defaultDisplayName({ firstName = '', lastName = '', login }: NewUser): string {
  return oneLine(`${firstName} ${lastName}`).slice(0, LINE_LENGTH) || login
}

/** The slug in `/author/<slug>/`, created from a login like WordPress's `sanitize_title`; may be empty. */
export function userSlug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s./_]+/g, (run) => (/^_+$/.test(run) ? run : '-'))
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, SLUG_LENGTH)
}
