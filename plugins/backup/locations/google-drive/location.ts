import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BackupLocation } from '../../types.ts'
import { assertFileName } from '../archive-file.ts'
import { resumedDownload } from '../download.ts'
import { LocationFailure } from '../failure.ts'
import { followProgress } from '../follow-progress.ts'
import { type RetryOptions, withRetries } from '../retry.ts'
import { createDriveClient, GOOGLE, type GoogleAddresses } from './client.ts'
import { diagnose, statusOf } from './failure.ts'
import { openFolder } from './folder.ts'
import type { GoogleDriveSettings } from './settings.ts'
import { cancelSession, uploadChunks } from './upload.ts'

/** Stores archives in a folder of the owner's Google Drive. */
export async function createGoogleDriveLocation(
  settings: GoogleDriveSettings,
  addresses: GoogleAddresses | undefined,
  firstDelayMs: number,
): Promise<BackupLocation> {
  const { api, token } = addresses ?? GOOGLE
  const { drive, request } = await createDriveClient(settings, { api, token })
  const folder = openFolder(drive, settings.googleDriveFolder || 'Pentad backups')
  const retry: RetryOptions = { title: 'Google Drive', firstDelayMs, diagnose }

  async function removeById(fileId: string, signal: AbortSignal): Promise<void> {
    try {
      await drive.files.delete({ fileId }, { signal })
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
  }

  return {
    id: 'googleDrive',
    title: 'Google Drive',
    test: (signal) =>
      withRetries({ ...retry, maxAttempts: 1 }, signal, async () => {
        const text = randomBytes(24).toString('base64url')
        const { data: made } = await drive.files.create(
          {
            requestBody: { name: `pentad-test-${randomBytes(12).toString('hex')}`, parents: [await folder.id(signal)] },
            media: { mimeType: 'text/plain', body: text },
            fields: 'id',
          },
          // For requests with a body, the library only reads the base URL from here.
          { signal, rootUrl: api },
        )
        if (!made.id) throw new LocationFailure({ reason: 'A file could not be created.', temporary: true })
        try {
          const back = await drive.files.get({ fileId: made.id, alt: 'media' }, { signal, responseType: 'text' })
          if (back.data !== text) {
            throw new LocationFailure({
              reason: 'The test file does not have the content that was written.',
              temporary: false,
            })
          }
        } finally {
          await removeById(made.id, signal)
        }
      }),
    async upload(file, progress) {
      assertFileName(file.name)
      const { signal } = progress
      const following = followProgress(progress)
      await withRetries(retry, signal, async (advanced) => {
        const made = await uploadChunks(request, file, () => folder.id(signal), following, advanced)
        if (made.size === file.size && (made.sha256Checksum ?? file.sha256) === file.sha256) return
        await removeById(made.id, signal)
        await following.keep(null)
        throw new LocationFailure({
          reason: 'The uploaded archive is damaged: its checksum does not match.',
          temporary: true,
        })
      })
      progress.sent(file.size)
      return file.name
    },
    discard: (_file, state, signal) => withRetries(retry, signal, () => cancelSession(request, state, signal)),
    download: (name, range, signal) =>
      resumedDownload(retry, range, signal, async (part) => {
        const found = await folder.find(name, signal)
        if (!found) throw new LocationFailure({ reason: 'The archive does not exist in the folder.', temporary: false })
        const { data, status } = await drive.files.get(
          { fileId: found.id, alt: 'media' },
          {
            signal,
            responseType: 'stream',
            ...(part && { headers: { Range: `bytes=${part.start}-${part.end ?? ''}` } }),
          },
        )
        if (!(data instanceof Readable)) throw new TypeError('The Drive library did not return a Node stream.')
        if (part && status !== 206) {
          data.destroy()
          throw new LocationFailure({ reason: 'Google did not return the requested range.', temporary: false })
        }
        return data
      }),
    remove: (name, signal) =>
      withRetries(retry, signal, async () => {
        const found = await folder.find(name, signal)
        if (found) await removeById(found.id, signal)
      }),
    list: (signal) => withRetries(retry, signal, () => folder.list(signal)),
    async close() {},
  }
}
