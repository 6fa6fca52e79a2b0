/** Downloads that go on where a broken connection ended. */
import { addAbortSignal, type Readable } from 'node:stream'
import { LocationFailure } from './failure.ts'
import { type RetryOptions, withRetries } from './retry.ts'

/** Positions in an archive; `end` is inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Opens the download at once, so that a missing archive is told before the first byte, and reads on from where it was
 * when the connection breaks.
 *
 * @param open - Asks for the range from the server; `undefined` for the whole archive.
 */
export async function resumedDownload(
  options: RetryOptions,
  range: ByteRange | undefined,
  signal: AbortSignal,
  open: (range: { start: number; end?: number } | undefined) => Promise<Readable>,
): Promise<AsyncIterable<Buffer>> {
  let position = range?.start ?? 0
  let source: Readable | undefined
  let chunks: AsyncIterator<Buffer> | undefined

  /** Of the connection that is open, or of a new one that begins where the last one broke. */
  async function next(): Promise<IteratorResult<Buffer>> {
    chunks ??= await openHere()
    try {
      const result = await chunks.next()
      if (result.done && range) throw new LocationFailure({ reason: 'The archive ends too early.', temporary: true })
      return result
    } catch (error) {
      source?.destroy()
      chunks = undefined
      throw error
    }
  }

  async function openHere(): Promise<AsyncIterator<Buffer>> {
    const isFullFile = position === 0 && !range
    source = addAbortSignal(
      signal,
      await open(isFullFile ? undefined : { start: position, ...(range && { end: range.end }) }),
    )
    return source[Symbol.asyncIterator]()
  }

  async function* read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const { done, value } = await withRetries(options, signal, next)
        if (done) return
        // Some servers take no notice of the end of a range, or of one that ends at 0.
        const chunk = range ? value.subarray(0, range.end + 1 - position) : value
        position += chunk.length
        if (chunk.length > 0) yield chunk
        if (range && position > range.end) return
      }
    } finally {
      source?.destroy()
    }
  }

  chunks = await withRetries(options, signal, openHere)
  return read()
}
