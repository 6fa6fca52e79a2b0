import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError } from '../../core/errors.ts'

/** OWASP ASVS 5.0, 6.2.1, and NIST SP 800-63B. */
const SHORTEST = 8
const COMMON_PASSWORDS = join(import.meta.dirname, 'common-passwords.txt')
/** Characters of the longest of them. */
const LONGEST_COMMON = 20

/** Along an alphabet or the rows of a keyboard (QWERTY, QWERTZ, AZERTY, ЙЦУКЕН), in either direction. */
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', '1234567890-='],
  ...['qwertyuiop[]', 'asdfghjkl;', 'zxcvbnm,./', 'qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qsdfghjklm', 'йцукенгшщзхъ'],
]
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

/** The user for whom the password is set. */
export interface PasswordOwner {
  readonly login: string
  readonly email: string
}

/**
 * Checks a new password: at least 8 characters, and none that attackers try first.
 *
 * @throws RestError 400 `rest_user_invalid_password`
 */
export type CheckNewPassword = (password: string, owner: PasswordOwner) => Promise<void>

/**
 * The rules for new passwords (OWASP ASVS 5.0, 6.2.1 to 6.2.12): no composition rules, a minimum length, and a list of
 * common passwords.
 *
 * @param siteTitle - Read at each check: the title may change.
 */
export function createPasswordRules(siteTitle: () => string): CheckNewPassword {
  let common: Promise<ReadonlySet<string>> | undefined

  async function isCommon(password: string): Promise<boolean> {
    if (isRun(password) || isRepetition(password)) return true
    if (password.length > LONGEST_COMMON) return false
    common ??= loadCommonPasswords()
    return (await common).has(password)
  }

  return async (password, { login, email }) => {
    const compared = comparable(password)
    if (Array.from(compared).length < SHORTEST) {
      throw invalidPassword(`The password is too short. Choose one with at least ${SHORTEST} characters.`)
    }
    const known = [login, email, email.split('@')[0] ?? '', siteTitle()].map(comparable)
    if (known.includes(compared)) {
      throw invalidPassword('The password must not be the username, the email address, or the site title.')
    }
    if (await isCommon(compared)) {
      throw invalidPassword('This password is too common. Choose another one.')
    }
  }
}

/** Ignores case, width and composition of characters, which do not make a password harder to guess. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}

function isRun(password: string): boolean {
  return RUNS.some((run) => run.includes(password))
}

/** `abab…`, `qwertyqwerty`: up to six characters over and over. */
function isRepetition(password: string): boolean {
  return [1, 2, 3, 4, 5, 6].some((length) => {
    const unit = password.slice(0, length)
    return password.length > length && unit.repeat(Math.ceil(password.length / length)).startsWith(password)
  })
}

/** Loaded when the first password is set. The file names its source. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const [, list = ''] = (await readFile(COMMON_PASSWORDS, 'utf8')).split('\n\n')
  return new Set(list.trimEnd().split('\n'))
}

function invalidPassword(message: string): RestError {
  return new RestError('rest_user_invalid_password', message, { status: 400 })
}
