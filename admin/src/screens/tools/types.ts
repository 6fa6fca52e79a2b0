/** How many were added, and how many were there already. */
export interface Tally {
  readonly added: number
  readonly existing: number
}

/** What an import did, as `host/v1/import` answers it. */
export interface ImportReport {
  readonly source: { readonly title: string; readonly url: string }
  readonly dryRun: boolean
  readonly users: Tally
  readonly terms: Tally
  readonly comments: Tally
  readonly posts: Readonly<Record<string, Tally>>
  readonly files: {
    readonly copied: number
    readonly kept: number
    readonly downloaded: number
    readonly resized: number
    readonly refused: readonly { readonly file: string; readonly reason: string }[]
  }
  readonly permalinkStructure?: string
  readonly addresses: { readonly kept: number; readonly redirected: number; readonly lost: readonly string[] }
  readonly missingFiles: readonly string[]
  readonly warnings: readonly string[]
}

export interface UploadedName {
  readonly uploadId: string
  readonly name: string
}

export interface ImportState {
  readonly jobId: string
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  readonly percent: number
  readonly message: string
  readonly started: string
  readonly order: {
    readonly files: readonly UploadedName[]
    readonly uploads: UploadedName | null
    readonly download: boolean
    readonly dryRun: boolean
  }
  readonly report: ImportReport | null
  readonly error: string | null
}

/** What starts an import: ids of uploads. */
export interface ImportOrder {
  readonly files: readonly string[]
  readonly uploads?: string
  readonly download: boolean
  readonly dryRun: boolean
}

export const IMPORT = 'host/v1/import'
