import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError } from 'pentad'
import type { Manifest } from './archive/format.ts'
import { openArchive } from './archive/open.ts'
import type { ArchiveSource } from './archive/source.ts'
import { asCorrupt } from './archive-refusal.ts'
import { openBackup, sumOf } from './archive-source.ts'
import type { BackupParts } from './parts.ts'
import type { BackupRecord } from './types.ts'

/** Milliseconds between two looks whether somebody still waits. */
const TICK = 2000

/**
 * Reads an archive to its end and checks every sum.
 *
 * @param folder - For what is needed on the way; removed at the end.
 * @throws RestError 400 `archive_corrupt`, `archive_unsupported`
 */
export async function verifyArchive(source: ArchiveSource, folder: string, signal: AbortSignal): Promise<Manifest> {
  try {
    const archive = await openArchive(source, { workFolder: folder })
    try {
      for (;;) {
        signal.throwIfAborted()
        if ((await archive.verify(AbortSignal.any([signal, AbortSignal.timeout(TICK)]))).done) return archive.manifest
      }
    } finally {
      await archive.close()
    }
  } catch (error) {
    throw asCorrupt(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Verifies a backup where it lies. Of one on this machine the sum of the whole file is checked too. */
export async function verifyBackup(
  parts: BackupParts,
  record: BackupRecord,
  signal: AbortSignal,
): Promise<{ readonly files: number; readonly bytes: number; readonly sha256: string }> {
  const temporary = join(parts.host.site.dir, 'tmp')
  await mkdir(temporary, { recursive: true })
  const folder = await mkdtemp(join(temporary, 'verify-'))
  const { source, close } = await openBackup(parts, record, signal)
  try {
    if (source.path !== undefined && (await sumOf(source.path, signal)) !== record.sha256) {
      throw new RestError('archive_corrupt', 'The archive is not the one that was made.', { status: 400 })
    }
    const { counts } = await verifyArchive(source, folder, signal)
    return { files: counts.files, bytes: counts.bytes, sha256: record.sha256 }
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
}
