import type { BackupActionItem, Overview } from './types.ts'

/** Opens the dialog for a new backup. */
export const CREATE = '/backup?create'

/** The screen to fix an item; no dialog for a new backup while one is in progress. */
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
