/** The archive on this machine, as uploads read it. */
import { open } from 'node:fs/promises'
import { CallerError } from './retry.ts'

/** Reads one part whole into memory. @throws CallerError if the file is shorter than that. */
export async function readPart(path: string, start: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const part = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await file.read(part, filled, length - filled, start + filled)
      if (bytesRead === 0) {
        throw new CallerError(new Error(`The archive ends at ${start + filled} bytes, before its recorded size.`))
      }
      filled += bytesRead
    }
    return part
  } finally {
    await file.close()
  }
}

/**
 * Refuses what is no plain file name: locations join it to a folder, and hooks may have made it.
 *
 * @throws TypeError
 */
export function assertFileName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!/^[^./\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*$/u.test(name) || Buffer.byteLength(name) > 240) {
    throw new TypeError('The name of an archive must be a plain file name of at most 240 bytes.')
  }
}

/** Marks what is not whole yet; never listed. */
export const PARTIAL = '.part'
