import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../missing-files.ts'

/** The work list written by the scan: one `SourceEntry` per line. */
export const LIST = 'list.ndjson'
/** The segments that the list is divided into. */
export const PLAN = 'plan.ndjson'
/** The finished segments and their result files. */
export const SEGMENTS = 'segments'
/** The tail of the archive. */
export const TAIL = 'tail'

/** The compressed bytes of a segment. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, SEGMENTS, `${String(number).padStart(7, '0')}.tar`)
}

/** The result file of a segment; exists if and only if the segment is finished. */
export function resultPath(folder: string, number: number): string {
  return join(folder, SEGMENTS, `${String(number).padStart(7, '0')}.ndjson`)
}

/**
 * Writes a file atomically, like `writeAtomically`, but synchronously in a thread and without flushing to disk.
 */
export function writeUnflushed(path: string, content: Buffer | string): void {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  writeFileSync(part, content, { flag: 'wx', mode: 0o600 })
  renameSync(part, path)
}

/** Reads a file of JSON lines; `undefined` if it does not exist. For files that this service wrote. */
export async function readJsonLines<Value>(path: string): Promise<Value[] | undefined> {
  const text = await undefinedIfMissing(readFile(path, 'utf8'))
  return text?.split('\n').flatMap((line): Value[] => (line === '' ? [] : [JSON.parse(line)]))
}
