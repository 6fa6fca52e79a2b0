import { RestError } from 'pentad'
import { diskFailure } from '../disk-failure.ts'
import type { Failure } from './job.ts'

/** Tries of a tick that fails again and again. */
const MAX_ATTEMPTS = 5

/** What may be told of an error: no path, no secret, no text of a library. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return { code: error.code, message: error.message }
  return { code: 'backup_failed', message: diskFailure(error) ?? 'The backup failed; the log of the site says why.' }
}

/** Whether the same may succeed a little later. */
export function isRetryable(error: unknown, failures: number): boolean {
  if (failures >= MAX_ATTEMPTS) return false
  if (error instanceof RestError) return error.data.temporary === true
  return diskFailure(error) === undefined
}
