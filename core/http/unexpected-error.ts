import { isUnavailable } from '../database/errors.ts'
import { codeOf, RestError, withCauses } from '../errors.ts'
import { isOutOfDescriptors } from '../files/file-descriptors.ts'

/** Server problems, by the codes of Node, SQLite (sqlite.org/rescode.html), and PostgreSQL (SQLSTATE). */
const PROBLEMS = [
  ['disk full', /^(?:ENOSPC|EDQUOT|SQLITE 13|53100)$/],
  // Node's recursive `mkdir` reports `ENOENT` on a read-only file system.
  ['not writable', /^(?:EROFS|open EACCES|mkdir E[A-Z]+|SQLITE 8|SQLITE 14|25006)$/],
  ['damaged', /^SQLITE (?:11|26)$/],
  ['moved', /^DATABASE_MOVED$/],
] as const

/** What is wrong with the server, rather than with the code that failed; `undefined` for other errors. */
export function serverProblem(error: unknown): (typeof PROBLEMS)[number][0] | 'unavailable' | 'overloaded' | undefined {
  try {
    if (isOutOfDescriptors(error)) return 'overloaded'
    const causes = withCauses(error)
    if (causes.some(isUnavailable)) return 'unavailable'
    const codes = causes.flatMap(codesOf)
    return PROBLEMS.find(([, known]) => codes.some((code) => known.test(code)))?.[0]
  } catch {
    // A getter or proxy of an extension's error threw.
    return undefined
  }
}

/** An error that is no `RestError`, for clients: what an administrator can do, or only the ID of the request, which the log contains too. */
export function unexpectedError(error: unknown, requestId: string): RestError {
  const known = (code: string, status: number, message: string) =>
    new RestError(code, message, { status, requestId }, status === 503 ? { 'Retry-After': '5' } : {})
  switch (serverProblem(error)) {
    case 'disk full':
      return known('disk_full', 507, 'The server’s disk is full, so nothing was saved. Free up space, then try again.')
    case 'not writable':
      return known(
        'storage_not_writable',
        503,
        'The server cannot write to the site folder or the database, so nothing was saved. Make them writable, then try again.',
      )
    case 'damaged':
      return known('database_damaged', 500, 'The database is damaged. Restore the site from a backup.')
    case 'moved':
      return known(
        'database_moved',
        503,
        'The database file was deleted or replaced while the site was running, so nothing was saved. Put it back, or restore a backup, then restart the site.',
      )
    case 'unavailable':
      return known('database_unavailable', 503, 'The database is not available. Try again in a few seconds.')
    case 'overloaded':
      return known(
        'server_overloaded',
        503,
        'The server has too many open files and connections. Try again in a few seconds.',
      )
    default:
      return known('internal_error', 500, 'An unexpected error occurred.')
  }
}

/** `ENOSPC` and `open ENOSPC`, or `SQLITE 13`. */
function codesOf(error: Error): string[] {
  if ('errcode' in error) return [`SQLITE ${Number(error.errcode) & 0xff}`]
  const code = String(codeOf(error))
  return 'syscall' in error ? [code, `${error.syscall} ${code}`] : [code]
}
