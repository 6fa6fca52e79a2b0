import type { BackupActionItem, Overview } from './types.ts'

/** Where an item is done, if not on the overview itself. */
export function linkOf(
  { id, setting }: BackupActionItem,
  overview: Pick<Overview, 'lastFailure'> | undefined,
): string | undefined {
  const lastFailure = overview?.lastFailure
  if (id === 'last-failed' && lastFailure) return `/backup/job/${lastFailure.jobId}`
  if (setting === 'defaultLocation') return '/backup/locations'
  return setting === undefined ? undefined : '/backup/settings'
}
