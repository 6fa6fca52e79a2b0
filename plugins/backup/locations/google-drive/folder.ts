import type { drive_v3 } from '@googleapis/drive'
import type { StoredArchive } from '../../types.ts'
import { LocationFailure } from '../failure.ts'

const FOLDER_TYPE = 'application/vnd.google-apps.folder'

/** The folder for archives. With the scope `drive.file`, only files created by Pentad are visible. */
export interface DriveFolder {
  /** Id of the folder, which is created if it is missing. */
  id(signal: AbortSignal): Promise<string>
  /** Id and size of an archive; `undefined` if it does not exist. */
  find(name: string, signal: AbortSignal): Promise<{ id: string; size: number; sha256: string | undefined } | undefined>
  list(signal: AbortSignal): Promise<StoredArchive[]>
}

export function openFolder(drive: drive_v3.Drive, name: string): DriveFolder {
  async function existingId(signal: AbortSignal): Promise<string | undefined> {
    const q = `name = '${quoted(name)}' and mimeType = '${FOLDER_TYPE}' and 'root' in parents and trashed = false`
    // The oldest, if there are several: two sites may have created one at the same time.
    const { data } = await drive.files.list({ q, orderBy: 'createdTime', pageSize: 1, fields: 'files(id)' }, { signal })
    return data.files?.[0]?.id ?? undefined
  }

  return {
    async id(signal) {
      const known = await existingId(signal)
      if (known) return known
      const { data } = await drive.files.create(
        { requestBody: { name, mimeType: FOLDER_TYPE, parents: ['root'] }, fields: 'id' },
        { signal },
      )
      if (data.id) return data.id
      throw new LocationFailure({ reason: 'The folder could not be created.', temporary: true })
    },
    async find(archive, signal) {
      const folder = await existingId(signal)
      if (!folder) return undefined
      const { data } = await drive.files.list(
        {
          q: `name = '${quoted(archive)}' and '${folder}' in parents and trashed = false`,
          pageSize: 1,
          fields: 'files(id,size,sha256Checksum)',
        },
        { signal },
      )
      const file = data.files?.[0]
      return file?.id ? { id: file.id, size: Number(file.size), sha256: file.sha256Checksum ?? undefined } : undefined
    },
    async list(signal) {
      const folder = await existingId(signal)
      const archives: StoredArchive[] = []
      let pageToken: string | undefined
      do {
        if (!folder) return archives
        const { data } = await drive.files.list(
          {
            q: `'${folder}' in parents and mimeType != '${FOLDER_TYPE}' and trashed = false`,
            pageSize: 1000,
            fields: 'nextPageToken,files(name,size)',
            ...(pageToken !== undefined && { pageToken }),
          },
          { signal },
        )
        for (const { name, size } of data.files ?? []) if (name) archives.push({ name, size: Number(size) })
        pageToken = data.nextPageToken ?? undefined
      } while (pageToken !== undefined)
      return archives
    },
  }
}

/** Escapes a string for a search query ("Search query terms and operators" of the Drive API). */
function quoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&')
}
