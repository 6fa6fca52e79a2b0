import { RestError } from 'pentad'

/** What whoever made an archive to do harm would be refused for: to its reader it is as damaged as any other. */
const HOSTILE: readonly string[] = ['archive_unsafe', 'archive_too_large']

/**
 * Why an archive did not pass its verification, as the contract names it: `archive_corrupt` for all that is damaged or
 * hostile, with the kind in `data.reason`. One of a newer version is another matter and stays `archive_unsupported`.
 */
export function asCorrupt(error: unknown): unknown {
  if (!(error instanceof RestError) || !HOSTILE.includes(error.code)) return error
  return new RestError('archive_corrupt', error.message, { status: 400, reason: error.code })
}
