import type { ExtensionHost } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { createCompare } from './compare.ts'
import { keepRelated } from './keep-related.ts'
import { createPairs } from './pairs.ts'
import type { RelatedSettings } from './settings.ts'
import { showRelated } from './show-related.ts'
import { openRelatedTables } from './tables.ts'
import { createWaiting } from './waiting.ts'

/** Related posts: which are alike is found out in the background, a page only reads it. */
export async function registerRelated(
  host: ExtensionHost,
  { settings, providers }: { settings: () => RelatedSettings; providers: Providers },
): Promise<void> {
  const db = await openRelatedTables(host.database)
  const pairs = createPairs(db)
  const compare = createCompare(host, { db, pairs, providers })
  keepRelated(host, { compare, pairs, waiting: createWaiting(db), settings })
  showRelated(host, { pairs, settings })
}
