import { randomBytes } from 'node:crypto'
import { corruptUpload, RestError, type UploadedFile } from 'pentad'
import { signingKeyOf } from './archive/signature.ts'
import { fileSource } from './archive/source.ts'
import { knownCategories } from './categories.ts'
import { assertFileName } from './locations/archive-file.ts'
import type { BackupParts } from './parts.ts'
import type { BackupRecord } from './types.ts'
import { verifyArchive } from './verify.ts'

/**
 * Turns an uploaded archive into a backup. The archive is untrusted: it is verified completely before it is listed.
 *
 * @throws RestError 400 `upload_corrupt` if it is not a valid archive
 */
export async function completeUpload(
  parts: BackupParts,
  { id, path, fileName: givenName, size, sha256, userId }: UploadedFile,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { site } = parts.host
    const archive = await verifyArchive(site.dir, await fileSource(path), signal)
    const { manifest } = archive
    const local = await parts.locations.open('local')
    const file = { path, name: fileNameOf(givenName, manifest.compression), size, sha256 }
    const fileName = await local.upload(file, { state: undefined, keep: async () => {}, sent: () => {}, signal })
    const record: BackupRecord = {
      id,
      title: manifest.title || givenName,
      contents: knownCategories(manifest.contents),
      ...{ size, location: 'local', date: new Date().toISOString(), kind: 'uploaded', sha256, fileName },
      ...{ createdBy: userId, keepForever: false, beforeRestore: false },
      signed: archive.isSignedWith(signingKeyOf(site)),
    }
    await parts.records.put(record)
    const message = `Archive uploaded and verified. It was created by ${manifest.siteUrl} on ${manifest.created}.`
    await parts.logs.add(id, [{ level: 'info', stage: 'upload', message }])
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RestError) || error.status !== 400) throw error
    throw corruptUpload(error.message, error.data.reason ?? error.code)
  }
}

/** The original name, sanitized, with a random part so that it cannot be guessed and does not collide. */
function fileNameOf(name: string, compression: 'gzip' | 'zstd'): string {
  const ending = compression === 'gzip' ? '.tar.gz' : '.tar.zst'
  const base = (name.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:tar\.gz|tgz|tar\.zst|tar|gz|zst)$/i, '')
  const plain =
    base
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 100) || 'uploaded'
  const full = `${plain}-${randomBytes(16).toString('hex')}${ending}`
  assertFileName(full)
  return full
}
