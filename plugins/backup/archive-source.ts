import { join } from 'node:path'
import { RestError } from 'pentad'
import { type ArchiveSource, fileSource } from './archive/source.ts'
import type { Locations } from './locations/index.ts'
import { isNotFound } from './missing-files.ts'

/** Where to read an archive from: a location, as its record says, or a path on this server. */
export type ArchivePlace =
  | { readonly location: string; readonly fileName: string; readonly size: number }
  | { readonly file: string }

/** Where archives are. */
export type ArchiveLocations = Pick<Locations, 'open' | 'usesBucket'>

/** An archive opened for reading in place. Closing it aborts reads in flight. */
export interface OpenedSource {
  readonly bytes: ArchiveSource
  close(): Promise<void>
}

/**
 * Opens an archive. An archive at a remote location is fetched range by range as it is read.
 *
 * @throws RestError 404 `backup_not_found` if it no longer exists, 502 `backup_location_failed`
 */
export async function openSource(
  place: ArchivePlace,
  { siteDir, locations }: { siteDir: string; locations: ArchiveLocations | undefined },
): Promise<OpenedSource> {
  if ('file' in place) return openFile(place.file)
  const { location: id, fileName, size } = place
  if (id === 'local' && !locations?.usesBucket) return openFile(join(siteDir, 'backups', fileName))
  if (!locations)
    throw new RestError('backup_location_failed', 'The storage location is not available on the command line.', {
      status: 502,
    })
  const location = await locations.open(id)
  const closing = new AbortController()
  return {
    bytes: { size, read: (start, end) => location.download(fileName, { start, end }, closing.signal) },
    async close() {
      closing.abort(new Error('The archive was closed.'))
      await location.close()
    },
  }
}

async function openFile(path: string): Promise<OpenedSource> {
  try {
    return { bytes: await fileSource(path), close: async () => {} }
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw new RestError('backup_not_found', 'The archive of this backup no longer exists.', {
      status: 404,
      cause: error,
    })
  }
}
