/** Reading the local archive for uploads. */
import { open } from 'node:fs/promises'
import { CallerError } from './retry.ts'

/** Reads one part into memory. @throws CallerError if the file is shorter than that. */
export async function readPart(path: string, start: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const part = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await file.read(part, filled, length - filled, start + filled)
      if (bytesRead === 0) {
        throw new CallerError(new Error(`The archive is shorter than recorded: it ends at ${start + filled} bytes.`))
      }
      filled += bytesRead
    }
    return part
  } finally {
    await file.close()
  }
}

/**
 * Rejects anything but a plain file name, since locations join it to a folder and filters may have changed it.
 *
 * @throws TypeError
 */
export function assertFileName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
  if (!/^[^./\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*$/u.test(name) || Buffer.byteLength(name) > 240) {
    throw new TypeError('The name of an archive must be a plain file name of at most 240 bytes.')
  }
}

/** Suffix of partial files, which are never listed. */
export const PARTIAL = '.part'
