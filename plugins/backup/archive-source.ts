import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { RestError } from 'pentad'
import { type ArchiveSource, fileSource } from './archive/source.ts'
import { isMissing } from './json-file.ts'
import type { BackupParts } from './parts.ts'
import type { BackupRecord } from './types.ts'

/** The archive of a backup, to be read where it lies. The caller closes it. */
export interface OpenedBackup {
  readonly source: ArchiveSource
  close(): Promise<void>
}

/** @throws RestError 404 `backup_not_found` if the archive is gone, 502 `backup_location_failed` */
export async function openBackup(
  { host, locations }: Pick<BackupParts, 'host' | 'locations'>,
  record: BackupRecord,
  signal: AbortSignal,
): Promise<OpenedBackup> {
  if (record.location === 'local') {
    try {
      const source = await fileSource(join(host.site.dir, 'backups', record.fileName))
      return { source, close: async () => {} }
    } catch (error) {
      if (isMissing(error)) throw new RestError('backup_not_found', 'The archive is gone.', { status: 404 })
      throw error
    }
  }
  const location = await locations.open(record.location)
  const read = (start: number, end: number) => location.download(record.fileName, { start, end }, signal)
  return { source: { size: record.size, read }, close: () => location.close() }
}

/** SHA-256 of a file, hexadecimal. */
export async function sumOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}
