import type { UseQueryResult } from '@tanstack/react-query'
import { useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change, type Listed } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { confirmDelete } from 'pentad/admin/parts/confirm.tsx'
import type { BackupRecord, Location, LocationList } from './types.ts'

/** A backup by its id. */
export function useBackup(backupId: string): UseQueryResult<Listed<BackupRecord>> {
  return useList<BackupRecord>('backup/v1/backup/fetch', { backupId })
}

/** Shown for a backup that no longer exists. */
export const BACKUP_NOT_FOUND = __(
  'This backup no longer exists. It may have been deleted, either manually or because of the retention limit.',
  'pentad',
)

/** The storage locations; empty while loading. */
export function useLocations(): readonly Location[] {
  return useRead<LocationList>('backup/v1/backup/locations').data?.items ?? []
}

/** Deletes a backup after confirmation. @param onRemoved called before lists are fetched again */
export function useRemoveBackup({ id, title }: BackupRecord, onRemoved?: () => void) {
  const { mutate, isPending } = useChange(
    () => change('DELETE', 'backup/v1/backup/remove', { backupId: id }).then(onRemoved),
    { invalidates: ['backup/v1/backup'], done: sprintf(__('“%s” deleted.', 'pentad'), title) },
  )
  async function remove(): Promise<void> {
    const body = __('The archive will be deleted from its location. This can’t be undone.', 'pentad')
    if (await confirmDelete(title, body)) mutate()
  }
  return { remove, isRemoving: isPending }
}
