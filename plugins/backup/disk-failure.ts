/** Messages for Node error codes that the server's administrator can fix. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no space left on the disk.',
  EDQUOT: 'There is no space left on the disk.',
  EFBIG: 'A file exceeds the maximum file size of this server.',
  EACCES: 'The site folder is not writable.',
  EPERM: 'The site folder is not writable.',
  EROFS: 'The site folder is not writable.',
}

/** Why a write to the disk failed, without any path; `undefined` for other errors. */
export function diskFailure(error: unknown): string | undefined {
  // Node's messages start with the code. Errors from threads lose the `code` property.
  const code = error instanceof Error ? /^([A-Z]+): /.exec(error.message)?.[1] : undefined
  return code === undefined ? undefined : REASONS[code]
}
