import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BackupLocation } from '../../types.ts'
import { abortable } from '../abortable.ts'
import { assertFileName, PARTIAL } from '../archive-file.ts'
import { resumedDownload } from '../download.ts'
import { LocationFailure } from '../failure.ts'
import { followProgress } from '../follow-progress.ts'
import { type RetryOptions, withRetries } from '../retry.ts'
import { connect, diagnose, type SftpConnection } from './connection.ts'
import { openRemote } from './file.ts'
import type { SftpSettings } from './settings.ts'
import { uploadFile } from './upload.ts'

const READ_BYTES = 2 * 1024 * 1024

/**
 * A folder on an SFTP server (draft-ietf-secsh-filexfer-02, as implemented by OpenSSH).
 *
 * The server may have a private address: only owners (`manage_options`) can set it, and their storage is often on the
 * same network. Its host key is pinned.
 */
export function createSftpLocation(settings: SftpSettings, firstDelayMs: number): BackupLocation {
  const retry: RetryOptions = { title: 'SFTP', firstDelayMs, diagnose }
  const folder = (settings.sftpPath || 'pentad-backups').replace(/(?<=.)\/+$/, '')
  const place = (name: string) => {
    assertFileName(name)
    return `${folder}/${name}`
  }
  const connected = <Result>(
    signal: AbortSignal,
    work: (connection: SftpConnection, advanced: () => void) => Promise<Result>,
    options = retry,
  ) =>
    withRetries(options, signal, async (advanced) => {
      using connection = await connect(settings, signal)
      return await abortable(work(connection, advanced), signal)
    })

  return {
    id: 'sftp',
    title: 'SFTP',
    test: (signal) =>
      connected(
        signal,
        async ({ client }) => {
          await makeFolder(client, folder)
          const path = `${folder}/pentad-test-${randomBytes(12).toString('hex')}${PARTIAL}`
          const text = randomBytes(24)
          try {
            await client.put(text, path)
            const back = await client.get(path)
            if (!Buffer.isBuffer(back) || !back.equals(text)) {
              throw new LocationFailure({
                reason: 'The test file does not have the content that was written.',
                temporary: false,
              })
            }
          } finally {
            await client.delete(path, true)
          }
        },
        { ...retry, maxAttempts: 1 },
      ),
    async upload(file, progress) {
      const target = place(file.name)
      const following = followProgress(progress)
      await connected(progress.signal, async (connection, advanced) => {
        await makeFolder(connection.client, folder)
        await uploadFile(connection, target, file, following, advanced)
      })
      progress.sent(file.size)
      return file.name
    },
    async discard(file, _state, signal) {
      await connected(signal, ({ client }) => client.delete(place(file.name) + PARTIAL, true))
    },
    async download(name, range, signal) {
      const path = place(name)
      return resumedDownload(retry, range, signal, async (part) => {
        const reading = read(settings, path, part, signal)
        // Requested here so that a missing archive is reported immediately.
        const first = await reading.next()
        async function* all(): AsyncGenerator<Buffer> {
          if (first.done) return
          yield first.value
          yield* reading
        }
        return Readable.from(all())
      })
    },
    async remove(name, signal) {
      await connected(signal, ({ client }) => client.delete(place(name), true))
    },
    list: (signal) =>
      connected(signal, async ({ client }) => {
        if (!(await client.exists(folder))) return []
        const entries = await client.list(folder)
        return entries
          .filter(({ type, name }) => type === '-' && !name.endsWith(PARTIAL))
          .map(({ name, size }) => ({ name, size }))
      }),
    async close() {},
  }
}

async function makeFolder(client: SftpConnection['client'], folder: string): Promise<void> {
  if (!(await client.exists(folder))) await client.mkdir(folder, true)
}

/** Reads the range block by block over a separate connection, which is closed at the end. */
async function* read(
  settings: SftpSettings,
  path: string,
  range: { start: number; end?: number } | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  using connection = await connect(settings, signal)
  const file = await abortable(openRemote(connection.requests, path, 'r'), signal)
  const { size } = await abortable(connection.client.stat(path), signal)
  const end = Math.min(range?.end ?? size - 1, size - 1)
  let position = range?.start ?? 0
  while (position <= end) {
    const block = await abortable(file.read(position, Math.min(READ_BYTES, end + 1 - position)), signal)
    if (block.length === 0)
      throw new LocationFailure({ reason: 'The server sent less data than expected.', temporary: true })
    yield block
    position += block.length
  }
}
