import { type ResponseOf, RestError, sha256File } from 'pentad'
import { z } from 'zod'
import { type Archive, openArchive } from './archive/open.ts'
import type { ArchiveSource } from './archive/source.ts'
import { asCorrupt } from './archive-errors.ts'
import { openSource } from './archive-source.ts'
import type { BackupParts } from './parts.ts'
import { withTempFolder } from './temp-folder.ts'
import { withTimeLimit } from './time-limit.ts'
import type { BackupRecord } from './types.ts'

/** Interval for checking whether the client is still connected, in ms. */
const TICK = 2000

/**
 * Reads an archive completely and verifies every checksum. Manifest and signature of the returned archive remain
 * readable.
 *
 * @throws RestError 400 `archive_corrupt`, `archive_unsupported`
 */
export async function verifyArchive(
  siteDir: string,
  source: ArchiveSource,
  signal: AbortSignal,
): Promise<Pick<Archive, 'manifest' | 'isSignedWith'>> {
  return withTempFolder(siteDir, async (workFolder) => {
    try {
      const archive = await openArchive(source, { workFolder })
      try {
        for (;;) {
          signal.throwIfAborted()
          if ((await archive.verify(withTimeLimit(signal, TICK))).done) return archive
        }
      } finally {
        await archive.close()
      }
    } catch (error) {
      throw asCorrupt(error)
    }
  })
}

export const verifiedShape = z.object({ files: z.int(), bytes: z.int(), sha256: z.string() })

/** Summary of a verified archive. */
type Verified = ResponseOf<typeof verifiedShape>

/** Verifies a backup in place. For a local archive, the checksum of the file is verified too. */
export async function verifyBackup(
  { host, locations }: BackupParts,
  record: BackupRecord,
  signal: AbortSignal,
): Promise<Verified> {
  const siteDir = host.site.dir
  const source = await openSource(record, { siteDir, locations })
  try {
    const { path } = source.bytes
    if (path !== undefined && (await sha256File(path, signal)) !== record.sha256) {
      throw new RestError(
        'archive_corrupt',
        'The archive was modified or damaged: its checksum does not match the recorded one.',
        { status: 400 },
      )
    }
    const { counts } = (await verifyArchive(siteDir, source.bytes, signal)).manifest
    return { files: counts.files, bytes: counts.bytes, sha256: record.sha256 }
  } finally {
    await source.close()
  }
}
