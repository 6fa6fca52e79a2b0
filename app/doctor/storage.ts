import { type DoctorCheck, error, ok } from './types.ts'

const CHECK = 'storage'

/** Whether the bucket for uploads can be read. */
export const checkStorage: DoctorCheck = async ({ config: { storageUrl }, texts: { __ } }) => {
  if (storageUrl === undefined) return []
  try {
    const { checkBucket } = await import('../../cms/content/media/bucket-client.ts')
    await checkBucket(storageUrl)
    return [ok(CHECK, __('Uploads are in the bucket at %s.', new URL(storageUrl).host))]
  } catch (reason) {
    const why = reason instanceof Error ? reason.name : __('unknown error')
    const message = __('The bucket for uploads cannot be read (%s), so uploads are not served.', why)
    return [
      error(CHECK, message, __('Check that the storage server is running and that PENTAD_STORAGE_URL is correct.')),
    ]
  }
}
