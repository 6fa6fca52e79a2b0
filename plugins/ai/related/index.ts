import type { ExtensionHost } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { createCompare } from './compare.ts'
import { createPairs } from './pairs.ts'
import { createPendingPosts } from './pending-posts.ts'
import type { RelatedSettings } from './settings.ts'
import { showRelated } from './show-related.ts'
import { openRelatedTables } from './tables.ts'
import { updateRelated } from './update-related.ts'

/** Related posts: computed in the background; pages only read them. */
export async function registerRelated(
  host: ExtensionHost,
  { settings, providers }: { settings: () => RelatedSettings; providers: Providers },
): Promise<void> {
  const db = await openRelatedTables(host.database)
  const pairs = createPairs(db)
  const compare = createCompare(host, { db, pairs, providers })
  updateRelated(host, { compare, pairs, pending: createPendingPosts(db), settings })
  showRelated(host, { pairs, settings })
}
