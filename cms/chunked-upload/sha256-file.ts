import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { deprecate } from 'node:util'

/** SHA-256 of a file, hexadecimal. */
export async function sha256File(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

/** @deprecated Use `sha256File`. */
export const sumOf = deprecate(sha256File, 'sumOf was renamed to sha256File.', 'PENTAD_SUM_OF')
