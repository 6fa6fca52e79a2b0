import { currentNonce, pathOf } from 'pentad/admin/api/rest.ts'
import { pageData } from 'pentad/admin/page-data.ts'

/** A link that the browser downloads itself, so the archive can have any size. */
export function downloadUrl(backupId: string): string {
  const path = pathOf('backup/v1/backup/download', { backupId, _wpnonce: currentNonce() })
  return pageData.restUrl.replace(/\/$/, '') + path
}
