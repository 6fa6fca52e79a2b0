import type { ExtensionView } from '../../../core/extensions/context.ts'
import type { Bucket } from './bucket-client.ts'
import type { SharedFiles } from './upload-files.ts'

declare module '../../../core/extensions/types.ts' {
  interface ExtensionHost {
    /** The bucket of the site. Services only; `undefined` if the files of the site are on this machine. */
    readonly bucket?: SiteBucket | undefined
  }
}

/** The bucket, as configured with `PENTAD_STORAGE_URL`. */
export interface SiteBucket extends Bucket {
  /** The files in these folders of the site, which all nodes share. */
  readonly backups: SharedFiles
  readonly pwa: SharedFiles
  readonly tmp: SharedFiles
}

export const bucketView =
  (bucket: SiteBucket): ExtensionView =>
  ({ isService }) =>
    isService ? { bucket } : {}
