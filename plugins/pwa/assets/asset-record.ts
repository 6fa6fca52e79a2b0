import type { ExtensionHost } from 'pentad'
import { z } from 'zod'

const OPTION = 'pwa_assets'

const recordSchema = z.object({ version: z.string().regex(/^[0-9a-f]{12}$/) })

/** The set of icons and splash screens that pages and the manifest use. Stored once the set is complete. */
export interface AssetRecord {
  version(): string | undefined
  store(version: string): Promise<void>
}

export function createAssetRecord({ options }: Pick<ExtensionHost, 'options'>): AssetRecord {
  let read: { record: unknown; version: string | undefined } = { record: undefined, version: undefined }
  return {
    version() {
      const record = options.get(OPTION)
      // Read for each image on each page. Records are replaced as a whole.
      if (record !== read.record) read = { record, version: recordSchema.safeParse(record).data?.version }
      return read.version
    },
    store: (version) => options.update(OPTION, { version }),
  }
}
