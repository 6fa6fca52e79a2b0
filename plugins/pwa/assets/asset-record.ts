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
  return {
    version: () => recordSchema.safeParse(options.get(OPTION)).data?.version,
    store: (version) => options.update(OPTION, { version }),
  }
}
