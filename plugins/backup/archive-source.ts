import { join } from 'node:path'
import { RestError } from 'pentad'
import { type ArchiveSource, fileSource } from './archive/source.ts'
import type { Locations } from './locations/index.ts'
import { isNotFound } from './missing-files.ts'

/** Where an archive lies: at a location, as its record says, or anywhere on this machine. */
export type ArchivePlace =
  | { readonly location: string; readonly fileName: string; readonly size: number }
  | { readonly file: string }

/** An archive, to be read where it lies. Closing it ends what is being read. */
export interface OpenedSource {
  readonly bytes: ArchiveSource
  close(): Promise<void>
}

/**
 * Opens an archive; one at a location is fetched range by range as it is read.
 *
 * @throws RestError 404 `backup_not_found` if it is gone, 502 `backup_location_failed`
 */
export async function openSource(
  place: ArchivePlace,
  { siteDir, locations }: { siteDir: string; locations: Pick<Locations, 'open'> | undefined },
): Promise<OpenedSource> {
  if ('file' in place) return openFile(place.file)
  const { location: id, fileName, size } = place
  if (id === 'local') return openFile(join(siteDir, 'backups', fileName))
  if (!locations) throw new RestError('backup_location_failed', 'The location is not known here.', { status: 502 })
  const location = await locations.open(id)
  const leaving = new AbortController()
  return {
    bytes: { size, read: (start, end) => location.download(fileName, { start, end }, leaving.signal) },
    async close() {
      leaving.abort(new Error('The archive is not read any more.'))
      await location.close()
    },
  }
}

async function openFile(path: string): Promise<OpenedSource> {
  try {
    return { bytes: await fileSource(path), close: async () => {} }
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw new RestError('backup_not_found', 'The archive of the backup is gone.', { status: 404, cause: error })
  }
}
