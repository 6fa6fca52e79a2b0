/** Why an archive cannot be used, as a code and a sentence that names no path of the machine. */
export type ArchiveProblem =
  /** Not what was written: damaged, cut off, altered, or no archive at all. */
  | 'archive_corrupt'
  /** Holds what could harm the site: names that climb out, links, devices. */
  | 'archive_unsafe'
  /** Made in a format that this version cannot read. */
  | 'archive_unsupported'
  /** Unpacks to more than it says or than there is room for. */
  | 'archive_too_large'

/**
 * Thrown inside `archive/`, also in its threads, which do not load the host. What leaves the folder is a `RestError`
 * with the same code (`threads.ts`).
 */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ArchiveProblem

  constructor(code: ArchiveProblem, message: string) {
    super(message)
    this.code = code
  }
}

/** An archive that is not what was written. */
export function corrupt(message: string): ArchiveError {
  return new ArchiveError('archive_corrupt', message)
}

/** An archive that would write where it must not. */
export function unsafe(message: string): ArchiveError {
  return new ArchiveError('archive_unsafe', message)
}

/** A name for a message: quoted, without control characters, not longer than a line. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}…` : name)
}
