import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** Size and SHA-256 (hexadecimal) of a file. Synchronous: runs in its own thread. */
export function sha256OfFile(path: string): { bytes: number; sha256: string } {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'r')
  let bytes = 0
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read))
      bytes += read
    }
  } finally {
    closeSync(file)
  }
  return { bytes, sha256: hash.digest('hex') }
}
