import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../missing-files.ts'

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
 * Puts a file in place so that after a crash there is all of it or nothing, as `writeAtomically` does, but in a thread and
 * without waiting for the disk.
 */
export function writeUnflushed(path: string, content: Buffer | string): void {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  writeFileSync(part, content, { flag: 'wx', mode: 0o600 })
  renameSync(part, path)
}

/** The lines of a JSON file as values; `undefined` if there is none. For files that this service wrote itself. */
export async function readJsonLines<Value>(path: string): Promise<Value[] | undefined> {
  const text = await undefinedIfMissing(readFile(path, 'utf8'))
  return text?.split('\n').flatMap((line): Value[] => (line === '' ? [] : [JSON.parse(line)]))
}
