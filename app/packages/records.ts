import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'

/** Name of the option. */
export const PACKAGE_RECORDS = 'host_extension_packages'

const recordSchema = z.object({
  version: z.string(),
  integrity: z.string().nullable(),
  /** The name in the registry; `null` for an extension from a file or URL, which cannot be checked for updates. */
  name: z.string().nullable(),
  /** What was entered or uploaded, for display. */
  from: z.string(),
  /** ISO 8601. */
  installed: z.string(),
  /** What a command did that the running site has not reported to hooks yet. */
  unreported: z
    .object({ action: z.enum(['install', 'update']), previousVersion: z.string().nullable() })
    .nullable()
    .default(null),
})

/** Where an extension was installed from. */
export type PackageRecord = z.output<typeof recordSchema>

/** The packages that extensions were installed from, by the ids of the extensions. */
export interface PackageRecords {
  all(): Readonly<Record<string, PackageRecord>>
  set(id: string, record: PackageRecord): Promise<void>
  delete(id: string): Promise<void>
  /** What is unreported of an extension, to the first of several processes. */
  claim(id: string): Promise<PackageRecord['unreported']>
}

/** The records in the value of the option. */
export const readRecords = (value: unknown) => z.record(z.string(), recordSchema).safeParse(value).data ?? {}

export function createRecords(options: Options): PackageRecords {
  return {
    all: () => readRecords(options.get(PACKAGE_RECORDS)),
    set: (id, record) => options.modify(PACKAGE_RECORDS, (current) => ({ ...readRecords(current), [id]: record })),
    delete: (id) =>
      options.modify(PACKAGE_RECORDS, (current) =>
        Object.fromEntries(Object.entries(readRecords(current)).filter(([other]) => other !== id)),
      ),
    async claim(id) {
      let claimed: PackageRecord['unreported'] = null
      await options.modify(PACKAGE_RECORDS, (current) => {
        const records = readRecords(current)
        const record = records[id]
        claimed = record?.unreported ?? null
        return record ? { ...records, [id]: { ...record, unreported: null } } : records
      })
      return claimed
    },
  }
}
