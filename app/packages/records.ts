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
  signedBy: z.string().nullable().default(null),
  hasProvenance: z.boolean().default(false),
  provenance: z.string().nullable().default(null),
  /** What a command did that the running site has not reported to hooks yet. */
  unreported: z
    .object({ action: z.enum(['install', 'update', 'delete']), previousVersion: z.string().nullable() })
    .nullable()
    .default(null),
})

/** Where an extension was installed from. */
export type PackageRecord = z.output<typeof recordSchema>

/** The packages that extensions were installed from, by the ids of the extensions. */
export interface PackageRecords {
  /** Those of installed extensions. */
  all(): Readonly<Record<string, PackageRecord>>
  /** The extensions of which something is unreported. */
  unreported(): readonly string[]
  set(id: string, record: PackageRecord): Promise<void>
  /** @param isUnreported - Whether the running site has to report it. */
  delete(id: string, isUnreported: boolean): Promise<void>
  /** The record of an extension of which something is unreported, to the first of several processes. */
  claim(id: string): Promise<PackageRecord | undefined>
}

/** Of an extension that was put into the folder by hand. */
const BY_HAND: PackageRecord = recordSchema.parse({ version: '', integrity: null, name: null, from: '', installed: '' })

const readAll = (value: unknown): Record<string, PackageRecord> =>
  z.record(z.string(), recordSchema).safeParse(value).data ?? {}

/** The records of installed extensions in the value of the option. */
export const readRecords = (value: unknown): Record<string, PackageRecord> =>
  Object.fromEntries(Object.entries(readAll(value)).filter(([, { unreported }]) => unreported?.action !== 'delete'))

export function createRecords(options: Options): PackageRecords {
  const change = (changed: (records: Readonly<Record<string, PackageRecord>>) => Record<string, PackageRecord>) =>
    options.modify(PACKAGE_RECORDS, (current) => changed(readAll(current)))

  return {
    all: () => readRecords(options.get(PACKAGE_RECORDS)),
    unreported: () =>
      Object.entries(readAll(options.get(PACKAGE_RECORDS))).flatMap(([id, { unreported }]) => (unreported ? id : [])),
    set: (id, record) => change((records) => ({ ...records, [id]: record })),
    delete: (id, isUnreported) =>
      change(({ [id]: record, ...others }) => {
        if (!isUnreported) return others
        return { ...others, [id]: { ...(record ?? BY_HAND), unreported: { action: 'delete', previousVersion: null } } }
      }),
    async claim(id) {
      let claimed: PackageRecord | undefined
      await change((records) => {
        const { [id]: record, ...others } = records
        claimed = record?.unreported ? record : undefined
        if (record === undefined || record.unreported?.action === 'delete') return others
        return { ...others, [id]: { ...record, unreported: null } }
      })
      return claimed
    },
  }
}
