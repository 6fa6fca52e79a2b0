import type { ExtensionHost } from 'pentad'

/** The folder `backups` in the bucket of the site. */
export type SharedFiles = NonNullable<ExtensionHost['bucket']>['backups']
