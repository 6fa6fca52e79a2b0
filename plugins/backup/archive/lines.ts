import { createReadStream } from 'node:fs'
import { corrupt } from './errors.ts'

/** No line of ours comes near it: a name has 4,096 bytes at most. */
const LONGEST = 1024 * 1024

/** A line of a file and where it stands, without its newline. */
export interface Line {
  readonly text: string
  /** Offset of its first byte. */
  readonly at: number
}

/**
 * The lines of a stream of bytes, with bounded memory; a last line without a newline was torn by a crash and is left out.
 *
 * @param longest - Bytes that a line may have, about.
 * @throws ArchiveError at a line that is longer
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
    if (held > longest) throw corrupt('A list in the archive holds a line that is too long.')
  }
}

/** The lines of a file. */
export function linesOfFile(path: string): AsyncGenerator<Line> {
  return linesIn(createReadStream(path, { highWaterMark: 256 * 1024 }))
}
