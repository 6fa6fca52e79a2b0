/** Downloads that resume after a connection is lost. */
import { addAbortSignal, type Readable } from 'node:stream'
import { LocationFailure } from './failure.ts'
import { type RetryOptions, withRetries } from './retry.ts'

/** Positions in an archive; `end` is inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Opens the download immediately, so that a missing archive is reported before the first byte, and resumes where it
 * stopped when the connection is lost.
 *
 * @param open - Requests a range from the server; `undefined` for the complete archive.
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

  /** Reads from the open connection, or from a new one that starts where the last one stopped. */
  async function next(): Promise<IteratorResult<Buffer>> {
    chunks ??= await openHere()
    try {
      const result = await chunks.next()
      if (result.done && range)
        throw new LocationFailure({ reason: 'The server sent less data than expected.', temporary: true })
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
        // Some servers ignore the end of a range, or a range that ends at 0.
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
