import { type DoctorCheck, error, ok } from './types.ts'

const CHECK = 'storage'

/** Whether the bucket for uploads can be read. */
export const checkStorage: DoctorCheck = async ({ config: { storageUrl } }) => {
  if (storageUrl === undefined) return []
  try {
    const { checkBucket } = await import('../../cms/content/media/bucket-client.ts')
    await checkBucket(storageUrl)
    return [ok(CHECK, `Uploads are in the bucket at ${new URL(storageUrl).host}.`)]
  } catch (reason) {
    const why = reason instanceof Error ? reason.name : 'unknown error'
    const message = `The bucket for uploads cannot be read (${why}), so uploads are not served.`
    return [error(CHECK, message, 'Check that the storage server is running and that PENTAD_STORAGE_URL is correct.')]
  }
}
