/** Downloads that go on where a broken connection ended. */
import { addAbortSignal, type Readable } from 'node:stream'
import { type RetryOptions, retrying } from './retry.ts'

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
  const openHere = async () => {
    const wanted = position === 0 && !range ? undefined : { start: position, ...(range && { end: range.end }) }
    return addAbortSignal(signal, await open(wanted))
  }
  let source = await retrying(options, signal, openHere)

  async function* read(): AsyncGenerator<Buffer> {
    let chunks = source[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next: IteratorResult<Buffer> = await retrying(options, signal, async () => {
          try {
            return await chunks.next()
          } catch (error) {
            // The next try reads from a new connection; if none can be had, this is the error that counts.
            source.destroy()
            if (!signal.aborted && (range === undefined || position <= range.end)) {
              source = await openHere()
              chunks = source[Symbol.asyncIterator]()
              return await chunks.next()
            }
            throw error
          }
        })
        if (next.done) return
        position += next.value.length
        yield next.value
      }
    } finally {
      source.destroy()
    }
  }
  return read()
}
