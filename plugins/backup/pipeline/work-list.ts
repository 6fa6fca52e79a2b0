import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeAtomically } from 'pentad'
import { z } from 'zod'
import { LIST } from '../archive/work-folder.ts'
import { readJson, writeJson } from '../json-file.ts'
import type { Amount, Category, SourceEntry, Warning } from '../types.ts'
import type { Found } from './scan.ts'

/** Results of the scan, before the database export. */
const FILES = 'files.ndjson'
const SCANNED = 'scanned.json'
/** Totals of the complete list, including the database files. */
const LISTED = 'listed.json'

const amountSchema = z.object({ files: z.number(), bytes: z.number() })

const scannedSchema = z.object({
  ...amountSchema.shape,
  warnings: z.array(z.object({ name: z.string(), message: z.string() })),
  omitted: z.number(),
})

/** Maximum warnings that are stored individually. */
const MOST_WARNINGS = 1000

export interface Scanned extends Amount {
  readonly warnings: readonly Warning[]
  /** Number of further warnings. */
  readonly omitted: number
}

/** Stores the results of the scan; an incomplete scan is discarded. */
export async function saveScan(folder: string, found: AsyncIterable<Found>, signal: AbortSignal): Promise<void> {
  let files = 0
  let bytes = 0
  let omitted = 0
  const warnings: Warning[] = []
  async function* lines() {
    for await (const one of found) {
      if ('warning' in one) {
        if (warnings.length < MOST_WARNINGS) warnings.push(one.warning)
        else omitted += 1
        continue
      }
      if (one.entry.type === 'file') {
        files += 1
        bytes += one.entry.size
      }
      yield `${JSON.stringify(one.entry)}\n`
    }
  }
  await writeStream(join(folder, FILES), lines(), signal)
  signal.throwIfAborted()
  await writeJson(join(folder, SCANNED), { files, bytes, warnings, omitted })
}

/** Results of the scan; `undefined` before it is complete. */
export async function readScan(folder: string): Promise<Scanned | undefined> {
  return scannedSchema.safeParse(await readJson(join(folder, SCANNED))).data
}

/** Totals of the list; `undefined` before it is complete. */
export async function readListed(folder: string): Promise<Amount | undefined> {
  return amountSchema.safeParse(await readJson(join(folder, LISTED))).data
}

/** Writes the work list of the archive: the database first, then the files. */
export async function saveList(
  folder: string,
  database: readonly SourceEntry[],
  contents: readonly Category[],
  signal: AbortSignal,
): Promise<void> {
  const hasFiles = contents.some((category) => category !== 'database')
  async function* lines() {
    for (const entry of database) yield `${JSON.stringify(entry)}\n`
    if (hasFiles) yield* createReadStream(join(folder, FILES))
  }
  const scanned = hasFiles ? await readScan(folder) : undefined
  await writeJson(join(folder, LISTED), {
    files: (scanned?.files ?? 0) + database.length,
    bytes: (scanned?.bytes ?? 0) + database.reduce((sum, { size }) => sum + size, 0),
  })
  await writeStream(join(folder, LIST), lines(), signal)
}

function writeStream(path: string, chunks: AsyncIterable<string | Buffer>, signal: AbortSignal): Promise<void> {
  const write = async (part: string) => {
    await pipeline(Readable.from(chunks), createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal })
    signal.throwIfAborted()
  }
  return writeAtomically(path, write, { flush: true })
}
