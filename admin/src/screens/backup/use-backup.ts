import type { UseQueryResult } from '@tanstack/react-query'
import { __ } from '@wordpress/i18n'
import { useList } from '../../api/query.ts'
import type { Listed } from '../../api/rest.ts'
import type { BackupRecord } from './types.ts'

/** One backup by its id. */
export function useBackup(backupId: string): UseQueryResult<Listed<BackupRecord>> {
  return useList<BackupRecord>('backup/v1/backup/fetch', { backupId })
}

/** For the place of one that is gone. */
export const GONE = __(
  'There is no such backup any more. It may have been deleted, or have given way to newer ones.',
  'pentad',
)
