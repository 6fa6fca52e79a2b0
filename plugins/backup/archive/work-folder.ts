import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The work list: a `SourceEntry` a line, written by whoever scans the site. */
export const LIST = 'list.ndjson'
/** How the list is cut into segments. */
export const PLAN = 'plan.ndjson'
/** The finished segments and what each holds. */
export const SEGMENTS = 'segments'
/** The last members of the archive. */
export const TAIL = 'tail'

/** The compressed bytes of a segment. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, SEGMENTS, `${String(number).padStart(7, '0')}.tar`)
}

/** What a segment holds; it is there if and only if the segment is finished. */
export function resultPath(folder: string, number: number): string {
  return join(folder, SEGMENTS, `${String(number).padStart(7, '0')}.ndjson`)
}

/**
 * Puts a file in place so that after a crash there is all of it or nothing. It grows under a name of its own: a process
 * that was paused while it wrote must not go on in a file that another one has put in place since.
 */
export function writeWhole(path: string, chunks: readonly (Buffer | string)[], { sync = true } = {}): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
  const file = openSync(temporary, 'wx')
  try {
    for (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    }
    if (sync) fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** The lines of a JSON file as values; `undefined` if there is none. For files that this service wrote itself. */
export async function readJsonLines<Value>(path: string): Promise<Value[] | undefined> {
  if (!(await exists(path))) return undefined
  const text = await readFile(path, 'utf8')
  return text.split('\n').flatMap((line): Value[] => (line === '' ? [] : [JSON.parse(line)]))
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
