/** Why an archive cannot be used. */
export type ArchiveProblem =
  /** Damaged, truncated, modified, or not an archive at all. */
  | 'archive_corrupt'
  /** Contains dangerous entries: path traversal, links that leave the folder, devices. */
  | 'archive_unsafe'
  /** Written in a format that this version cannot read. */
  | 'archive_unsupported'
  /** Unpacks to more than it declares, or to more than fits on the disk. */
  | 'archive_too_large'

/**
 * Thrown inside `archive/` and its threads, which do not load the host. `threads.ts` converts it to a `RestError` with
 * the same code. The message contains no path of the server.
 */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ArchiveProblem

  constructor(code: ArchiveProblem, message: string) {
    super(message)
    this.code = code
  }
}

/** The archive is damaged. */
export function corrupt(message: string): ArchiveError {
  return new ArchiveError('archive_corrupt', message)
}

/** The archive would write outside its folder. */
export function unsafe(message: string): ArchiveError {
  return new ArchiveError('archive_unsafe', message)
}

/** Formats a name for a message: quoted, without control characters, shortened to one line. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}…` : name)
}
