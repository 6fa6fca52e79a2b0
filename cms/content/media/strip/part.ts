/** Larger than any color profile for printing. */
export const PROFILE_BYTES = 4 * 1024 * 1024

/**
 * A slice of a file.
 * @throws RangeError if the file ends before it
 */
export function part(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length || start > end) throw new RangeError('The file ends too early.')
  return bytes.subarray(start, end)
}
