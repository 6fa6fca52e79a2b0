import { createUploader } from 'pentad/admin/api/chunked-upload.ts'
import { invalidate, queryClient } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { notifyDone } from 'pentad/admin/parts/notify.ts'

/** The upload of archives. */
export const uploader = createUploader('backup/v1/backup/upload', () => invalidate(queryClient, ['backup/v1/backup']))

export async function startUpload(file: File): Promise<void> {
  if (await uploader.start(file)) notifyDone(__('Archive verified and added to the list.', 'pentad'))
}
