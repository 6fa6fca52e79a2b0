import type { Purge } from 'pentad'
import type { TestHost } from 'pentad/testing'

/** Whether all caches of extensions have received every purge. */
export async function isAllSent({ host }: TestHost): Promise<boolean> {
  const rows = await host.database.db.selectFrom('change_readers').selectAll().execute()
  const newest = (await host.changes.newest()) ?? null
  return rows.length > 0 && rows.every(({ position, failures }) => position === newest && failures === 0)
}

/** Records a purge of pages with these tags. */
export function purgeTags({ host }: TestHost, tags: readonly string[], more: Partial<Purge> = {}): Promise<void> {
  return host.changes.record({ scope: 'urls', urls: [], tags, reason: 'A test.', ...more })
}
