import type { ExtensionHost } from 'pentad'
import { z } from 'zod'

const OPTION = 'pwa_assets'

const recordSchema = z.object({ version: z.string().regex(/^[0-9a-f]{12}$/) })

/** Which set of icons and splash screens pages and manifest name. Written in one stroke, once the set is whole. */
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
