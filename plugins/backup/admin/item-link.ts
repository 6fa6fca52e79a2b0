import type { BackupActionItem, Overview } from './types.ts'

/** The form of a new backup. */
export const CREATE = '/backup?create'

/** Where an item is done; no form of a backup while one is made. */
export function linkOf(
  { id, setting }: BackupActionItem,
  overview: Pick<Overview, 'lastFailure' | 'running'> | undefined,
): string | undefined {
  if (id === 'first-backup' || id === 'old') return overview?.running ? undefined : CREATE
  const lastFailure = overview?.lastFailure
  if (id === 'last-failed' && lastFailure) return `/backup/job/${lastFailure.jobId}`
  if (setting === 'defaultLocation') return '/backup/locations'
  return setting === undefined ? undefined : '/backup/settings'
}
