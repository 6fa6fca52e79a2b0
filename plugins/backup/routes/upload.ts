import { type createUploadSessions, registerChunkedUpload } from 'pentad'
import { completeUpload } from '../complete-upload.ts'
import type { BackupParts } from '../parts.ts'

/** Uploads an archive of this or another site, in chunks and in any order. */
export function registerUploadRoutes(parts: BackupParts, sessions: ReturnType<typeof createUploadSessions>): void {
  const { host, records } = parts
  registerChunkedUpload({
    ...{ rest: host.rest, jobs: host.jobs, sessions, namespace: 'backup/v1', path: '/backup/upload' },
    ...{ access: 'manage_options', noun: 'an archive', keepsFile: false },
    accept: (file, signal) => completeUpload(parts, file, signal),
    describe: async (uploadId) => ({ backup: await records.get(uploadId) }),
  })
}
