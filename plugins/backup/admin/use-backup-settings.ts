import { invalidate, queryClient } from 'pentad/admin/api/query.ts'
import { type SettingsDraft, useSettings } from 'pentad/admin/settings/use-settings.ts'

/** The settings of the service; after saving, the next automatic backup and the locations are fetched again. */
export function useBackupSettings(): SettingsDraft {
  const draft = useSettings('backup')
  return {
    ...draft,
    async save() {
      const isSaved = await draft.save()
      if (isSaved) await invalidate(queryClient, ['backup/v1/backup/overview', 'backup/v1/backup/locations'])
      return isSaved
    },
  }
}
