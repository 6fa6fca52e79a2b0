import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'
import { namesIn } from './missing-files.ts'
import type { SharedFiles } from './shared-files.ts'
import { type BackupRecord, recordShape } from './types.ts'

/** Ids of backups, jobs and uploads. They are used in file names, so other characters are not allowed. */
export const idSchema = z.string().regex(/^[\w-]{1,64}$/, 'must be an ID')
export const backupIdSchema = idSchema.describe('ID of the backup.')
export const jobIdSchema = idSchema.describe('ID of the backup or restore job.')

const recordSchema = recordShape.omit({ signed: true }).extend({
  id: idSchema,
  size: z.int().min(0),
  /** Missing in records of earlier versions. */
  beforeRestore: z.boolean().default(false),
  /** Fingerprint of the key that signed the archive. Missing in records of earlier versions. */
  signedWith: z.string().nullable().default(null),
})

/**
 * The list of backups, one file each in `backups/records/`, on this machine or in the bucket of the site. It is not in the database, so that restoring an older
 * backup does not lose the newer ones.
 */
export interface Records {
  /** All backups, newest first. */
  list(): Promise<BackupRecord[]>
  /** @throws RestError 404 `backup_not_found` */
  get(id: string): Promise<BackupRecord>
  find(id: string): Promise<BackupRecord | undefined>
  put(record: BackupRecord): Promise<void>
  remove(id: string): Promise<void>
}

/**
 * @param folder - `<site>/backups`
 * @param signingKey - Signing key of the site. Records store the fingerprint of the key, so that after a key change
 *   older archives count as unsigned, as in a restore.
 * @param shared - The folder in the bucket of the site.
 */
export function createRecords(folder: string, signingKey: Buffer, shared?: SharedFiles): Records {
  const place = join(folder, 'records')
  const fingerprint = createHash('sha256').update(signingKey).digest('hex')
  const fileOf = (id: string) => `records/${idSchema.parse(id)}.json`
  const pathOf = (id: string) => join(folder, fileOf(id))

  async function find(id: string): Promise<BackupRecord | undefined> {
    if (!idSchema.safeParse(id).success) return undefined
    if (shared && !(await shared.pull(fileOf(id)))) return undefined
    const { data: stored } = recordSchema.safeParse(await readJson(pathOf(id)))
    if (!stored) return undefined
    const { signedWith, ...record } = stored
    return { ...record, signed: signedWith === fingerprint }
  }

  return {
    find,
    async list() {
      const ids = (shared ? await shared.names('records', '') : await namesIn(place))
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length))
      const records = (await Promise.all(ids.map(find))).filter((record) => record !== undefined)
      return records.sort((a, b) => Date.parse(b.date) - Date.parse(a.date) || (a.id < b.id ? -1 : 1))
    },
    async get(id) {
      const record = await find(id)
      if (!record) throw new RestError('backup_not_found', 'The backup does not exist.', { status: 404 })
      return record
    },
    async put({ signed, ...record }) {
      const stored = { ...record, signedWith: signed ? fingerprint : null }
      await shared?.push(Buffer.from(JSON.stringify(stored)), fileOf(record.id))
      await writeJson(pathOf(record.id), stored)
    },
    async remove(id) {
      await shared?.remove(fileOf(id))
      await rm(pathOf(id), { force: true })
    },
  }
}
