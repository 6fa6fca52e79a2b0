import type { Answers } from '../../api/answers.ts'

/** How many were added, and how many were there already. */
export type Tally = ImportReport['users']

/** What an import did, as `host/v1/import` answers it. */
export type ImportReport = NonNullable<ImportState['report']>

export type UploadedName = ImportState['order']['files'][number]

export type ImportState = NonNullable<Answers['GET /host/v1/import']>

/** What starts an import: ids of uploads. */
export interface ImportOrder {
  readonly files: readonly string[]
  readonly uploads?: string
  readonly download: boolean
  readonly dryRun: boolean
}

export const IMPORT = 'host/v1/import'
