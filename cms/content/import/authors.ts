import type { NewUser, User, Users } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import type { ImportJournal } from './journal.ts'
import { ownCopy } from './own-copy.ts'
import { type ImportReport, note } from './report.ts'
import type { WxrAuthor } from './wxr.ts'

/**
 * How authors of the old site are mapped. `create`: to users with the same login or e-mail address, created if missing. `skip`: to the
 * first administrator. A map from old to new logins: as given, others to the first administrator.
 */
export type AuthorMapping = 'create' | 'skip' | ReadonlyMap<string, string>

/** Authors of the old site as users of this one. */
export interface Authors {
  add(author: WxrAuthor): Promise<void>
  /** Id of the user for an author; an author that the export does not declare becomes a user too. */
  idOf(login: string): Promise<number>
  /** Id of the user with an id of the old site; 0 if there is none. */
  idOfOldId(oldId: number): number
}

/**
 * Without a mapping, users are found by login, then by e-mail address, else created without a password: with the `author` role if they wrote
 * something, `subscriber` if they only commented. A user that can't be created is replaced by the first administrator, and
 * named in the report. A dry run only counts.
 *
 * @param isWriter - Whether an item of the export has this login as its author.
 */
export function createAuthors(
  users: Users,
  parts: {
    mapping: AuthorMapping
    report: ImportReport
    journal: ImportJournal
    dryRun: boolean
    isWriter(login: string): boolean
  },
): Authors {
  const { mapping, report, journal, dryRun, isWriter } = parts
  const byLogin = new Map<string, number>()
  const byOldId = new Map<number, number>()

  async function find(author: Pick<WxrAuthor, 'login' | 'email'>): Promise<User | undefined> {
    return (
      (await users.getByLogin(author.login)) ??
      (await users.getByLogin(plainLogin(author.login))) ??
      (author.email === '' ? undefined : await users.getByEmail(author.email))
    )
  }

  /** Tries with all data first, then without values that may be rejected. */
  async function create({ login, email, displayName, firstName, lastName }: WxrAuthor): Promise<User | undefined> {
    const user: NewUser = {
      login: plainLogin(login),
      displayName: displayName || login,
      firstName,
      lastName,
      roles: [isWriter(login) ? 'author' : 'subscriber'],
    }
    for (const attempt of email === '' ? [user] : [{ ...user, email }, user]) {
      try {
        return await users.create(attempt)
      } catch (error) {
        if (!(error instanceof RestError)) throw error
      }
    }
    return undefined
  }

  async function firstAdministrator(): Promise<number> {
    const { items } = await users.query({ roles: ['administrator'], orderBy: 'id', order: 'asc', limit: 1 })
    return items[0]?.id ?? 0
  }

  async function assign({ login, id }: WxrAuthor, chosen: string | undefined): Promise<void> {
    const user = chosen === undefined ? undefined : await users.getByLogin(chosen)
    if (user) report.users.existing++
    if (user && id !== 0) byOldId.set(id, user.id)
    byLogin.set(ownCopy(login), user?.id ?? (await firstAdministrator()))
  }

  async function add(author: WxrAuthor): Promise<void> {
    if (author.login === '' || byLogin.has(author.login)) return
    if (mapping !== 'create') return assign(author, mapping === 'skip' ? undefined : mapping.get(author.login))
    const known = await find(author)
    if (dryRun && !known) {
      report.users.added++
      byLogin.set(ownCopy(author.login), 0)
      return
    }
    // Another process may have created the user in the meantime.
    if (!known) await journal.note('user', author.login)
    const user = known ?? (await create(author)) ?? (await find(author))
    const isAdded = !known || journal.take('user', author.login)
    if (user) report.users[isAdded ? 'added' : 'existing']++
    else
      note(
        report.warnings,
        `The author “${author.login}” could not be created; these posts are assigned to an administrator.`,
      )
    const id = user?.id ?? (await firstAdministrator())
    byLogin.set(ownCopy(author.login), id)
    if (author.id !== 0) byOldId.set(author.id, id)
  }

  return {
    add,
    async idOf(login) {
      if (login === '') return firstAdministrator()
      await add({ id: 0, login, email: '', displayName: '', firstName: '', lastName: '' })
      return byLogin.get(login) ?? 0
    },
    idOfOldId: (oldId) => byOldId.get(oldId) ?? 0,
  }
}

/** Characters allowed in a login; WordPress has been more permissive at times. */
function plainLogin(login: string): string {
  return login
    .replace(/[^a-z0-9_.@ -]+/gi, '-')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 60)
}
