import { currentNonce, pathOf } from 'pentad/admin/api/rest.ts'
import { pageData } from 'pentad/admin/page-data.ts'

/** Where the browser itself fetches an archive, so that it may have any size. */
export function downloadUrl(backupId: string): string {
  const path = pathOf('backup/v1/backup/download', { backupId, _wpnonce: currentNonce() })
  return pageData.restUrl.replace(/\/$/, '') + path
}
