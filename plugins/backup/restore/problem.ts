import { RestError } from 'pentad'
import { diskFailure } from '../disk-failure.ts'

/** The public part of an error: no paths, no secrets. */
export function describeProblem(error: unknown): { code: string; message: string; temporary: boolean } {
  if (error instanceof RestError) {
    return { code: error.code, message: error.message, temporary: error.data.temporary === true }
  }
  const message = diskFailure(error) ?? (error instanceof Error ? error.message : String(error))
  return { code: 'restore_failed', message: withoutPaths(message), temporary: false }
}

/** Replaces paths, which reveal how the server is set up. */
export function withoutPaths(message: string): string {
  return message.replace(/(?:\/[\w.@-]+){2,}/g, '…')
}
