import { RestError } from 'pentad'
import { diskFailure } from '../disk-failure.ts'
import type { Failure } from './job.ts'

/** Maximum consecutive attempts of a failing tick. */
export const MAX_ATTEMPTS = 5

/** The public part of an error: no paths, secrets or library messages. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return { code: error.code, message: error.message }
  return { code: 'backup_failed', message: diskFailure(error) ?? 'The backup failed. See the server log for details.' }
}

/** Whether a retry may succeed. */
export function isRetryable(error: unknown, failures: number): boolean {
  if (failures >= MAX_ATTEMPTS) return false
  if (error instanceof RestError) return error.data.temporary === true
  return diskFailure(error) === undefined
}
