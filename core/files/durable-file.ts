import { statSync } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Adapter } from 'lowdb'
import { isCode } from '../errors.ts'
import { isJsonRecord, type JsonRecord, toJson } from '../options/json.ts'
import { writeAtomically } from './atomic-write.ts'
import { flushFolder } from './flush-folder.ts'

/** A lowdb adapter with atomic and durable writes. */
export interface DurableFile extends Adapter<JsonRecord> {
  /** Whether another process replaced the file since it was read or written here. */
  changed(): Promise<boolean>
  /** Deletes temporary files of killed processes. Call it only while no process writes. */
  removeLeftovers(): Promise<void>
}

/**
 * Writes go to a temporary file in the same folder, which is flushed, renamed over the old one, and made
 * durable by flushing the folder (rename(2), fsync(2)).
 *
 * @param confirm - Called immediately before the rename; if it throws, the old file is unchanged.
 */
export function createDurableFile(path: string, confirm: () => Promise<void>): DurableFile {
  const folder = dirname(path)
  // Earlier versions wrote them without the leading dot.
  const prefixes = [`.${basename(path)}.`, `${basename(path)}.`]
  let seen: string | undefined

  return {
    async read() {
      const handle = await openIfThere(path)
      if (!handle) return null
      try {
        const signature = await sign(handle)
        const records = parse(await handle.readFile('utf8'), path)
        seen = signature
        return records
      } finally {
        await handle.close()
      }
    },
    async write(records) {
      let signature: string | undefined
      const written = async (file: FileHandle) => {
        signature = await sign(file)
        await confirm()
      }
      await writeAtomically(path, `${JSON.stringify(records, null, 2)}\n`, { flush: true, written })
      await flushFolder(folder)
      seen = signature
    },
    async changed() {
      // Synchronous, because handing it to a thread takes longer than the call.
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      return (stats && signatureOf(stats)) !== seen
    },
    async removeLeftovers() {
      const isOwn = (name: string) => name.endsWith('.tmp') && prefixes.some((prefix) => name.startsWith(prefix))
      const names = (await readdir(folder)).filter(isOwn)
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
    },
  }
}

async function sign(handle: FileHandle): Promise<string> {
  return signatureOf(await handle.stat({ bigint: true }))
}

function signatureOf(stats: { mtimeNs: bigint; size: bigint; ino: bigint }): string {
  return `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parse(text: string, path: string): JsonRecord {
  try {
    const records = toJson(JSON.parse(text), 'options')
    if (isJsonRecord(records)) return records
    throw new Error('it is not a JSON object.')
  } catch (error) {
    throw new Error(
      `${path} can't be read: ${error instanceof Error ? error.message : error}\n` +
        'Fix the file, or restore it from a backup. To start over with the default settings, rename the file. Pentad did not change it.',
      { cause: error },
    )
  }
}
