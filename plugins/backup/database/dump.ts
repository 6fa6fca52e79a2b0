import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldNow } from 'node:timers/promises'
import { RestError } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import type { SourceEntry } from '../types.ts'
import { encodeValue, LONGEST_ROW, tableFile } from './format.ts'
import type { Snapshot } from './types.ts'

/** Write buffer size in bytes. Requests are served between writes. */
const BATCH_BYTES = 256 * 1024

const stateSchema = z.object({
  /** Number of completed tables. */
  tables: z.number(),
  /** Rows and bytes of the current table that are safely in its file. */
  rows: z.number(),
  bytes: z.number(),
  /** Rows written so far. */
  total: z.number(),
})

export interface DumpProgress {
  readonly done: boolean
  readonly tables: { readonly made: number; readonly total: number }
  readonly rows: number
}

/**
 * Exports the tables of a snapshot to files in `<folder>/database/` until the signal fires. Called again, it continues
 * after the last row that was safely written.
 */
export async function dumpTables(snapshot: Snapshot, folder: string, signal: AbortSignal): Promise<DumpProgress> {
  const statePath = join(folder, 'dump.json')
  let state = stateSchema.safeParse(await readJson(statePath)).data ?? { tables: 0, rows: 0, bytes: 0, total: 0 }
  const { tables } = snapshot
  const progress = (): DumpProgress => ({
    done: state.tables === tables.length,
    tables: { made: state.tables, total: tables.length },
    rows: state.total,
  })
  await mkdir(join(folder, 'database'), { recursive: true })
  for (let head = tables[state.tables]; head && !signal.aborted; head = tables[state.tables]) {
    const file = await open(join(folder, tableFile(head.table)), constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      let { rows, bytes } = state
      let batch: string[] = []
      let batched = 0
      const add = (line: string) => {
        batch.push(line, '\n')
        batched += line.length + 1
      }
      const write = async () => {
        const written = Buffer.from(batch.join(''))
        // At a fixed offset: if a paused process resumes, it only writes the same bytes again.
        for (let at = 0; at < written.length; ) {
          at += (await file.write(written, at, written.length - at, bytes + at)).bytesWritten
        }
        bytes += written.length
        batch = []
        batched = 0
        await yieldNow()
      }
      if (bytes === 0) add(JSON.stringify(head))
      let complete = true
      for await (const row of snapshot.rows(head.table, rows)) {
        const line = JSON.stringify(row.map(encodeValue))
        if (Buffer.byteLength(line) > LONGEST_ROW) throw tooLarge(head.table)
        add(line)
        rows += 1
        if (batched < BATCH_BYTES) continue
        await write()
        if (signal.aborted) {
          complete = false
          break
        }
      }
      await write()
      if (complete) await file.truncate(bytes)
      await file.datasync()
      const total = state.total + rows - state.rows
      state = complete
        ? { tables: state.tables + 1, rows: 0, bytes: 0, total }
        : { tables: state.tables, rows, bytes, total }
    } finally {
      await file.close()
    }
    await writeJson(statePath, state)
  }
  return progress()
}

/** A restore cannot read such a row, so the backup must fail. */
function tooLarge(table: string): RestError {
  const message = `The table ${JSON.stringify(table)} contains a row that is too large to back up.`
  return new RestError('backup_failed', message, { status: 500 })
}

/** The files of a finished export as entries of the work list. */
export async function dumpedEntries(snapshot: Snapshot, folder: string): Promise<SourceEntry[]> {
  const entries: SourceEntry[] = []
  for (const { table } of snapshot.tables) {
    const name = tableFile(table)
    const path = join(folder, name)
    const file = await open(path)
    try {
      const { size, mtimeMs } = await file.stat()
      entries.push({ name, path, category: 'database', type: 'file', size, mode: 0o600, mtimeMs })
    } finally {
      await file.close()
    }
  }
  return entries
}
