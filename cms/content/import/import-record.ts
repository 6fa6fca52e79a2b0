import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createDurableFile } from '../../../core/files/durable-file.ts'
import { isJsonRecord, toJson } from '../../../core/options/json.ts'
import type { SharedFiles } from '../media/upload-files.ts'
import type { ImportReport } from './report.ts'

const NAME = 'last-import.json'

/** Sources and options of an import: ids and names of complete uploads. */
export const orderSchema = z.object({
  files: z.array(z.object({ uploadId: z.string(), name: z.string() })).min(1),
  uploads: z.object({ uploadId: z.string(), name: z.string() }).nullable(),
  download: z.boolean(),
  dryRun: z.boolean(),
})
export type ImportOrder = z.output<typeof orderSchema>

export function uploadsOf({ files, uploads }: ImportOrder): ImportOrder['files'] {
  return uploads === null ? files : [...files, uploads]
}

/** Job, options and outcome of the last import. */
const storedSchema = z.object({
  /** ID of the request: a job that finds a different one here has ended. */
  key: z.string(),
  jobId: z.string().nullable(),
  order: orderSchema,
  started: z.string(),
  outcome: z
    .object({ report: z.custom<ImportReport | null>(), error: z.string().nullable(), percent: z.number().default(0) })
    .nullable(),
})
export type StoredImport = z.output<typeof storedSchema>
export type ImportOutcome = NonNullable<StoredImport['outcome']>

/** The last import, in a file that survives restarts, on this machine or in the bucket of the site. */
export interface ImportRecord {
  read(): Promise<StoredImport | undefined>
  /** Changes the record; one change after the other. */
  change(to: (stored: StoredImport | undefined) => StoredImport | undefined): Promise<void>
}

/**
 * @param folder - The site's `tmp`.
 * @param shared - The same folder in the bucket of the site.
 */
export function createImportRecord(folder: string, shared?: SharedFiles): ImportRecord {
  const file = createDurableFile(join(folder, NAME), async () => {})
  let writing: Promise<unknown> = Promise.resolve()

  async function read(): Promise<StoredImport | undefined> {
    // Earlier versions stored it on this machine only; the next change stores it in the bucket.
    await shared?.pull(NAME)
    return storedSchema.safeParse(await file.read()).data
  }

  return {
    read,
    change(to) {
      const changed = writing.then(async () => {
        const stored = await read()
        const next = to(stored)
        await mkdir(folder, { recursive: true })
        const json = toJson(JSON.parse(JSON.stringify(next ?? null)), 'import')
        if (next === stored || !isJsonRecord(json)) return
        await shared?.push(Buffer.from(JSON.stringify(json)), NAME)
        await file.write(json)
      })
      writing = changed.catch(() => {})
      return changed
    },
  }
}
