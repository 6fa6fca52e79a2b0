import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { RestError } from 'pentad'
import { signingKeyOf } from '../archive/signature.ts'
import { fileSource } from '../archive/source.ts'
import { knownCategories } from '../categories.ts'
import { assertFileName } from '../locations/archive-file.ts'
import type { BackupParts } from '../parts.ts'
import { sumOf } from '../sum-of.ts'
import type { BackupRecord } from '../types.ts'
import { verifyArchive } from '../verify.ts'
import type { UploadSession, UploadSessions } from './sessions.ts'

/**
 * Makes a backup of an upload that is all there: puts it together, checks it as if somebody wanted to harm the site
 * with it, and only then lists it.
 *
 * @throws RestError 400 `upload_corrupt` if it is not what was announced, or no archive; nothing of it is left then
 */
export async function completeUpload(
  parts: BackupParts,
  sessions: UploadSessions,
  { id, session, total }: { id: string; session: UploadSession; total: number },
  signal: AbortSignal,
): Promise<BackupRecord> {
  try {
    const path = await sessions.assemble(id, total, signal)
    const { size } = await stat(path)
    if (session.size !== null && session.size !== size) throw corrupt('It has not the size that was announced.')
    const sha256 = await sumOf(path, signal)
    if (session.sha256 !== null && session.sha256.toLowerCase() !== sha256) {
      throw corrupt('It has not the SHA-256 that was announced.')
    }
    const { site } = parts.host
    const archive = await verifyArchive(site.dir, await fileSource(path), signal)
    const { manifest } = archive
    const local = await parts.locations.open('local')
    const file = { path, name: fileNameOf(session.fileName, manifest.compression), size, sha256 }
    const fileName = await local.upload(file, { state: undefined, keep: async () => {}, sent: () => {}, signal })
    const record: BackupRecord = {
      id,
      title: manifest.title || session.fileName,
      contents: knownCategories(manifest.contents),
      ...{ size, location: 'local', date: new Date().toISOString(), kind: 'uploaded', sha256, fileName },
      ...{ createdBy: session.userId, keepForever: false },
      signed: archive.isSignedWith(signingKeyOf(site)),
    }
    await parts.records.put(record)
    const message = `The archive was uploaded and checked; it was made by ${manifest.siteUrl} on ${manifest.created}.`
    await parts.logs.add(id, [{ level: 'info', stage: 'upload', message }])
    await sessions.put(id, { ...session, total, backupId: id })
    await sessions.clear(id)
    return record
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RestError) || error.status !== 400) throw error
    await sessions.remove(id)
    throw error.code === 'upload_corrupt' ? error : corrupt(error.message, error.data.reason ?? error.code)
  }
}

function corrupt(reason: string, code?: unknown): RestError {
  const message = `The uploaded file is no valid archive: ${reason}`
  return new RestError('upload_corrupt', message, { status: 400, ...(code !== undefined && { reason: code }) })
}

/** The name it came with, as far as it is one, with a part that keeps it from being guessed and from taking another's place. */
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
