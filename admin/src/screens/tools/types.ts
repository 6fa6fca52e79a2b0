import type { Responses } from '../../api/responses.ts'

/** The number of added and of existing items. */
export type Tally = ImportReport['users']

/** The result of an import, as `host/v1/import` returns it. */
export type ImportReport = NonNullable<ImportState['report']>

export type UploadedName = ImportState['order']['files'][number]

export type ImportState = NonNullable<Responses['GET /host/v1/import']>

/** The request that starts an import: upload ids. */
export interface ImportOrder {
  readonly files: readonly string[]
  readonly uploads?: string
  readonly download: boolean
  readonly dryRun: boolean
}

export const IMPORT = 'host/v1/import'
