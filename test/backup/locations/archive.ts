import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BackupLocation, UploadedFile, UploadProgress } from '../../../plugins/backup/types.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

export const MEBIBYTE = 1024 * 1024

/** A file of random bytes as an archive would be, in a temporary folder. */
export async function makeArchive(
  mebibytes: number,
  name = `example.org-${randomBytes(12).toString('hex')}.tar.gz`,
): Promise<UploadedFile> {
  const path = join(temporaryFolder(), 'archive')
  const out = createWriteStream(path, { mode: 0o600 })
  const hash = createHash('sha256')
  for (let count = 0; count < mebibytes; count += 1) {
    const bytes = randomBytes(MEBIBYTE)
    hash.update(bytes)
    if (!out.write(bytes)) await once(out, 'drain')
  }
  // No multiple of anything.
  const rest = randomBytes(4321)
  hash.update(rest)
  out.end(rest)
  await once(out, 'close')
  return { path, name, size: mebibytes * MEBIBYTE + rest.length, sha256: hash.digest('hex') }
}

export interface Recorded extends UploadProgress {
  /** Every number that `sent` got. */
  readonly numbers: number[]
  readonly kept: unknown
}

export function recordProgress(signal: AbortSignal = new AbortController().signal, state?: unknown): Recorded {
  const numbers: number[] = []
  let kept = state
  return {
    state,
    async keep(next) {
      kept = structuredClone(next)
    },
    sent: (bytes) => numbers.push(bytes),
    signal,
    numbers,
    get kept() {
      return kept
    },
  }
}

export async function sumOfDownload(location: BackupLocation, name: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(await location.download(name, undefined, never()), hash)
  return hash.digest('hex')
}

export async function part(path: string, start: number, end: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(createReadStream(path, { start, end })))
}

export function never(): AbortSignal {
  return new AbortController().signal
}
