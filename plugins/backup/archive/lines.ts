import { createReadStream } from 'node:fs'
import { corrupt } from './errors.ts'

/** Far above any valid line: a name has at most 4,096 bytes. */
const LONGEST = 1024 * 1024

/** A line of a file without its newline. */
export interface Line {
  readonly text: string
  /** Byte offset of the line. */
  readonly at: number
}

/**
 * Splits a byte stream into lines with bounded memory. A last line without a newline was truncated by a crash and is
 * skipped.
 *
 * @param longest - Approximate maximum line length, in bytes.
 * @throws ArchiveError if a line is longer
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>, from = 0, longest = LONGEST): AsyncGenerator<Line> {
  let waiting: Buffer[] = []
  let held = 0
  let at = from
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const bytes = held === 0 ? chunk.subarray(start, end) : Buffer.concat([...waiting, chunk.subarray(start, end)])
      waiting = []
      held = 0
      yield { text: bytes.toString('utf8'), at }
      at += bytes.length + 1
      start = end + 1
    }
    if (start === chunk.length) continue
    waiting.push(Buffer.from(chunk.subarray(start)))
    held += chunk.length - start
    if (held > longest) throw corrupt('The archive is damaged: a list contains a line that is too long.')
  }
}

/** The lines of a file. */
export function linesOfFile(path: string): AsyncGenerator<Line> {
  return linesIn(createReadStream(path, { highWaterMark: 256 * 1024 }))
}
