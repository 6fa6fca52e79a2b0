/** Node's codes of what the owner of the machine can mend, in words for people. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no room left on the disk.',
  EDQUOT: 'There is no room left on the disk.',
  EFBIG: 'There is no room left: a file has become larger than this machine allows.',
  EACCES: 'The site folder cannot be written to.',
  EPERM: 'The site folder cannot be written to.',
  EROFS: 'The site folder cannot be written to.',
}

/** Why the disk does not take what is written, without any path; `undefined` for every other error. */
export function diskFailure(error: unknown): string | undefined {
  // Node's messages begin with the code, which is all that is left of it when the error comes from a thread.
  const code = error instanceof Error ? /^([A-Z]+): /.exec(error.message)?.[1] : undefined
  return code === undefined ? undefined : REASONS[code]
}
