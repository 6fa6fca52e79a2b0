import { RestError } from 'pentad'
import type { Failure } from './job.ts'

/** Tries of a tick that fails again and again. */
const MOST_TRIES = 5

/** Node's codes of what the owner of the machine can mend, in words for people. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no room left on the disk.',
  EDQUOT: 'There is no room left on the disk.',
  EACCES: 'The site folder cannot be written to.',
  EPERM: 'The site folder cannot be written to.',
  EROFS: 'The site folder cannot be written to.',
}

/** What may be told of an error: no path, no secret, no text of a library. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return { code: error.code, message: error.message }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { code: 'backup_failed', message: REASONS[code] ?? 'The backup failed; the log of the site says why.' }
}

/** Whether the same may succeed a little later. */
export function isWorthAnotherTry(error: unknown, failures: number): boolean {
  if (failures >= MOST_TRIES) return false
  if (error instanceof RestError) return error.data.temporary === true
  return !(error instanceof Error && 'code' in error && String(error.code) in REASONS)
}
