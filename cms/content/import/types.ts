import type { Users } from '../../../core/auth/types.ts'
import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Logger } from '../../../core/log.ts'
import type { Options } from '../../../core/options/types.ts'
import type { Content } from '../types.ts'
import type { AuthorMapping } from './authors.ts'
import type { DownloadOptions } from './download.ts'

/** Progress of an import. */
export interface ImportProgress {
  readonly phase: 'scan' | 'read' | 'files'
  /** 0 to 100, for the whole import; never decreases. */
  readonly percent: number
  readonly message: string
}

export interface ImportParts {
  /** A WordPress export (WXR 1.0 to 1.2), optionally in gzip or zip; or the files of one that was split. */
  readonly files: readonly string[]
  /** `wp-content/uploads` of the old site, or a folder that contains it. */
  readonly uploadsDir?: string | undefined
  /** Set to download media that are not in that folder from the old site. */
  readonly download?: DownloadOptions | undefined
  /** How authors are mapped. Default: `create`. */
  readonly authors?: AuthorMapping | undefined
  /** Change nothing, and report what would be added, copied and missing. Default: no. */
  readonly dryRun?: boolean | undefined
  readonly content: Content
  readonly users: Users
  readonly options: Options
  readonly database: Database
  readonly hooks: Pick<Hooks, 'doActionAsync'>
  readonly config: { readonly siteDir: string; readonly url: string }
  readonly log: Logger
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Stops the import; the next one completes it. */
  readonly signal?: AbortSignal | undefined
}
