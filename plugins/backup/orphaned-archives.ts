import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError, sha256File } from 'pentad'
import { openArchive } from './archive/open.ts'
import { signingKeyOf } from './archive/signature.ts'
import { fileSource } from './archive/source.ts'
import { knownCategories } from './categories.ts'
import type { BackupParts } from './parts.ts'
import { withTempFolder } from './temp-folder.ts'

/**
 * Minimum age of an archive without a record, in ms: a younger one may belong to a backup that is still being recorded.
 */
const SETTLED = 10 * 60_000

/**
 * Registers archives in the local backup folder that have no record, because they were copied there manually or their
 * records were lost. They count as uploaded backups, which the retention limit never deletes. Files that are not valid archives
 * are skipped.
 */
export async function registerOrphanedArchives(
  { host, records, locations, logs }: BackupParts,
  signal: AbortSignal,
): Promise<void> {
  // Only the nodes store archives in the bucket of the site.
  if (locations.usesBucket) return
  const known = new Set((await records.list()).map(({ fileName }) => fileName))
  const local = await locations.open('local')
  for (const { name, size } of await local.list(signal)) {
    const path = join(host.site.dir, 'backups', name)
    if (known.has(name) || !/\.tar\.(?:gz|zst)$/.test(name)) continue
    if (Date.now() - (await stat(path)).ctimeMs < SETTLED) continue
    try {
      const { manifest, signed } = await withTempFolder(host.site.dir, async (workFolder) => {
        const archive = await openArchive(await fileSource(path), { workFolder })
        await archive.close()
        return { manifest: archive.manifest, signed: archive.isSignedWith(signingKeyOf(host.site)) }
      })
      const id = randomBytes(16).toString('base64url')
      await records.put({
        ...{ id, title: manifest.title, contents: knownCategories(manifest.contents), size, location: 'local' },
        ...{ date: manifest.created, kind: 'uploaded', sha256: await sha256File(path, signal), fileName: name },
        ...{ createdBy: null, keepForever: false, beforeRestore: false, signed },
      })
      await logs.add(id, [
        { level: 'info', stage: 'upload', message: 'Registered an archive found in the local backup folder.' },
      ])
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      host.log.warn({ archive: name, code: error.code }, 'unusable file in backup folder skipped')
    }
  }
}
