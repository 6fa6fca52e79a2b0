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

/** The lines of a stream of bytes, with bounded memory; a last line without a newline was torn by a crash and is left out. */
export async function* linesIn(chunks: AsyncIterable<Buffer>, from = 0): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0)
  let at = from
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield { text: bytes.toString('utf8', start, end), at: at + start }
      start = end + 1
    }
    at += start
    rest = Buffer.from(bytes.subarray(start))
    if (rest.length > LONGEST) throw corrupt('A list in the archive holds a line that is too long.')
  }
}

/** The lines of a file. */
export function linesOfFile(path: string): AsyncGenerator<Line> {
  return linesIn(createReadStream(path, { highWaterMark: 256 * 1024 }))
}
