import { RestError } from 'pentad'

/** Codes for archives crafted to do harm. To the caller they are as unusable as damaged ones. */
const HOSTILE: readonly string[] = ['archive_unsafe', 'archive_too_large']

/**
 * Maps verification errors to the documented code: `archive_corrupt` for damaged and hostile archives, with the
 * original code in `data.reason`. `archive_unsupported` (a newer format) stays as it is.
 */
export function asCorrupt(error: unknown): unknown {
  if (!(error instanceof RestError) || !HOSTILE.includes(error.code)) return error
  return new RestError('archive_corrupt', error.message, { status: 400, reason: error.code })
}
