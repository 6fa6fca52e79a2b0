import type { JoiningHost } from '../../../core/types.ts'
import { parseStorageUrl } from './bucket-client.ts'
import { bucketView } from './storage-view.ts'
import type { UploadFiles } from './upload-files.ts'

/** The folders in the configured bucket; `undefined` if they are on this machine. */
export async function openBucketFolders(
  host: JoiningHost,
): Promise<{ uploads: UploadFiles; tmp: UploadFiles } | undefined> {
  const { storageUrl, siteDir } = host.config
  if (storageUrl === undefined) return undefined
  const { database, log } = host
  const { openBucket } = await import('./bucket.ts')
  const open = async (name: 'uploads' | 'backups' | 'pwa' | 'tmp') => {
    const files = await openBucket(storageUrl, { siteDir, name, database, log })
    host.onClosed(files.close)
    return files
  }
  const shared = { backups: await open('backups'), pwa: await open('pwa'), tmp: await open('tmp') }
  host.addView(bucketView({ ...parseStorageUrl(storageUrl), ...shared }))
  return { uploads: await open('uploads'), tmp: shared.tmp }
}
