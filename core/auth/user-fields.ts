import { z } from 'zod'
import { RestError } from '../errors.ts'
import { oneLine, withoutNul } from './text.ts'
import type { NewUser } from './types.ts'

/** WordPress's limits, in characters. */
const LOGIN_LENGTH = 60
const SLUG_LENGTH = 50
/** Longer passwords only cost time. */
export const PASSWORD_LENGTH = 4096
const EMAIL_LENGTH = 100
const LINE_LENGTH = 250
const DESCRIPTION_LENGTH = 65_535

const emailSchema = z.email().max(EMAIL_LENGTH)
const urlSchema = z.url({ protocol: /^https?$/ }).max(LINE_LENGTH)

function invalid(code: string, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}

/** What a person signs in with: the characters of WordPress's strict `sanitize_user`. */
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

/** Empty is allowed: not everybody has one. */
export function checkEmail(email: string): string {
  if (email !== '' && !emailSchema.safeParse(email).success) {
    throw invalid('rest_user_invalid_email', 'Invalid email address.')
  }
  return email
}

/** What any password must be; parts of the site add rules. */
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

/** The columns of the plain text fields that were given; a URL that is none is dropped, as WordPress does. */
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

/** Name shown to visitors where none was given: WordPress's `wp_insert_user`. */
export function defaultDisplayName({ firstName = '', lastName = '', login }: NewUser): string {
  return oneLine(`${firstName} ${lastName}`).slice(0, LINE_LENGTH) || login
}

/** Part of `/author/<slug>/`, as WordPress's `sanitize_title` makes it of a login; empty if nothing is left. */
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
