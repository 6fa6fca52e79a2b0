import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { flushFolder, sha256File } from 'pentad'
import { undefinedIfMissing } from '../missing-files.ts'
import type { BackupLocation, UploadedFile, UploadProgress } from '../types.ts'
import { assertFileName, PARTIAL } from './archive-file.ts'
import { type Failure, LocationFailure } from './failure.ts'
import { type RetryOptions, withRetries } from './retry.ts'

/**
 * The `backups` folder of the site. It is never served over HTTP: the host only serves uploads and theme files. Folder
 * and files are accessible only to their owner (0700 and 0600), and file names contain a random part.
 *
 * @param folder - Absolute path; created when needed.
 */
export function createLocalLocation(folder: string): BackupLocation {
  const retry: RetryOptions = { title: 'Local', firstDelayMs: 0, diagnose }
  const place = (name: string) => {
    assertFileName(name)
    return join(folder, name)
  }

  return {
    id: 'local',
    title: 'Local',
    test: (signal) =>
      withRetries({ ...retry, maxAttempts: 1 }, signal, async () => {
        await makeFolder(folder)
        const path = join(folder, `test-${randomBytes(12).toString('hex')}${PARTIAL}`)
        const file = await open(path, 'wx', 0o600)
        try {
          await file.write('pentad')
          await file.sync()
        } finally {
          await file.close()
          await rm(path, { force: true })
        }
      }),
    upload: (file, progress) =>
      withRetries(retry, progress.signal, async () => {
        const target = place(file.name)
        await makeFolder(folder)
        if (!(await isPublished(target, file, progress.signal))) await publish(file, target, progress)
        await flushFolder(folder)
        progress.sent(file.size)
        return file.name
      }),
    discard: (file, _state, signal) =>
      withRetries(retry, signal, () => rm(place(file.name) + PARTIAL, { force: true })),
    download: (name, range, signal) =>
      withRetries(retry, signal, async () => {
        const path = place(name)
        // Opened here so that a missing archive is reported before the first byte. Links are not followed.
        const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
        return createReadStream(path, { fd: file, ...range, signal, highWaterMark: 256 * 1024 })
      }),
    remove: (name, signal) => withRetries(retry, signal, () => rm(place(name), { force: true })),
    list: (signal) =>
      withRetries(retry, signal, async () => {
        const entries = (await undefinedIfMissing(readdir(folder, { withFileTypes: true }))) ?? []
        const archives = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL))
        return Promise.all(archives.map(async ({ name }) => ({ name, size: (await stat(join(folder, name))).size })))
      }),
    async close() {},
  }
}

/** Whether an earlier attempt published the archive and crashed before recording it. */
async function isPublished(path: string, file: UploadedFile, signal: AbortSignal): Promise<boolean> {
  const found = await undefinedIfMissing(lstat(path))
  if (!found?.isFile() || found.size !== file.size) return false
  return (await sha256File(path, signal)) === file.sha256
}

/** Hard-links the archive into the folder, or copies it if it is on another file system. */
async function publish(file: UploadedFile, target: string, progress: UploadProgress): Promise<void> {
  const partial = target + PARTIAL
  await rm(partial, { force: true })
  try {
    await link(file.path, partial)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(codeOf(error))) throw error
    await copy(file, partial, progress)
  }
  const handle = await open(partial, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, target)
}

async function copy(file: UploadedFile, target: string, { sent, signal }: UploadProgress): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      sent(bytes)
      done(null, chunk)
    },
  })
  await pipeline(createReadStream(file.path), meter, createWriteStream(target, { flags: 'wx', mode: 0o600 }), {
    signal,
  })
  if (bytes !== file.size || hash.digest('hex') !== file.sha256) {
    throw new LocationFailure({
      reason: 'The copied archive is damaged: its checksum does not match.',
      temporary: false,
    })
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    // The folder may have been created with other permissions.
    await handle.chmod(0o700)
  } finally {
    await handle.close()
  }
}

function diagnose(error: unknown): Failure | undefined {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { reason: 'There is no space left on the disk.', temporary: false }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { reason: 'The backup folder is not writable.', temporary: false }
    case 'ENOENT':
    case 'ELOOP':
      return { reason: 'The archive does not exist in the backup folder.', temporary: false }
    case 'ENOTDIR':
    case 'EEXIST':
      return { reason: 'The path of the backup folder is a file.', temporary: false }
    default:
      return undefined
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
