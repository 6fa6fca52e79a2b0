import { join } from 'node:path'
import { RestError } from 'pentad'
import { type ArchiveSource, fileSource } from '../archive/source.ts'
import { isMissing } from '../json-file.ts'
import type { Locations } from '../locations/index.ts'
import type { RestoreState } from './state.ts'

/** The bytes of the archive that is restored. */
export interface OpenedSource {
  readonly bytes: ArchiveSource
  close(): Promise<void>
}

/** Opens the archive where it lies; one at a location is fetched range by range as it is read. */
export async function openSource(
  { source }: RestoreState,
  { siteDir, locations }: { siteDir: string; locations: Pick<Locations, 'open'> | undefined },
): Promise<OpenedSource> {
  if ('file' in source) return openFile(source.file)
  const { location: id, fileName, size } = source
  if (id === 'local') return openFile(join(siteDir, 'backups', fileName))
  if (!locations) throw new RestError('backup_location_failed', 'The location is not known here.', { status: 502 })
  const location = await locations.open(id)
  const leaving = new AbortController()
  return {
    bytes: { size, read: (start, end) => location.download(fileName, { start, end }, leaving.signal) },
    async close() {
      leaving.abort(new Error('The restore no longer reads the archive.'))
      await location.close()
    },
  }
}

async function openFile(path: string): Promise<OpenedSource> {
  try {
    return { bytes: await fileSource(path), close: async () => {} }
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new RestError('backup_not_found', 'The archive of the backup is gone.', { status: 404, cause: error })
  }
}
