import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'

const OPTION = 'host_extension_packages'

const recordSchema = z.object({
  version: z.string(),
  integrity: z.string().nullable(),
  /** The name in the registry; `null` for an extension from a file or URL, which cannot be checked for updates. */
  name: z.string().nullable(),
  /** What was entered or uploaded, for display. */
  from: z.string(),
  /** ISO 8601. */
  installed: z.string(),
})

/** Where an extension was installed from. */
export type PackageRecord = z.output<typeof recordSchema>

/** The packages that extensions were installed from, by the ids of the extensions. */
export interface PackageRecords {
  all(): Readonly<Record<string, PackageRecord>>
  set(id: string, record: PackageRecord): Promise<void>
  delete(id: string): Promise<void>
}

export function createRecords(options: Options): PackageRecords {
  const all = () => z.record(z.string(), recordSchema).safeParse(options.get(OPTION)).data ?? {}
  return {
    all,
    set: (id, record) => options.modify(OPTION, () => ({ ...all(), [id]: record })),
    delete: (id) =>
      options.modify(OPTION, () => Object.fromEntries(Object.entries(all()).filter(([other]) => other !== id))),
  }
}
