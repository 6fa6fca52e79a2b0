import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError, sumOf } from 'pentad'
import { openArchive } from './archive/open.ts'
import { signingKeyOf } from './archive/signature.ts'
import { fileSource } from './archive/source.ts'
import { knownCategories } from './categories.ts'
import type { BackupParts } from './parts.ts'
import { withTempFolder } from './temp-folder.ts'

/** Milliseconds after which an archive without a record is not one that is just being put into the list. */
const SETTLED = 10 * 60_000

/**
 * Lists the archives on this machine that no record names: somebody copied them there, or the records were lost. They
 * count as uploaded, so that retention never takes them. What is no archive is passed over.
 */
export async function registerOrphanedArchives(
  { host, records, locations, logs }: BackupParts,
  signal: AbortSignal,
): Promise<void> {
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
        ...{ date: manifest.created, kind: 'uploaded', sha256: await sumOf(path, signal), fileName: name },
        ...{ createdBy: null, keepForever: false, signed },
      })
      await logs.add(id, [
        { level: 'info', stage: 'upload', message: 'The archive was found in the folder for backups.' },
      ])
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      host.log.warn({ archive: name, code: error.code }, 'a file among the backups is no archive that can be used')
    }
  }
}
