import type { Users } from '../../../core/auth/types.ts'
import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Content } from '../types.ts'

/** Restricts an export; default: everything. */
export interface ExportFilter {
  /** Default: all types of posts. */
  readonly types?: readonly string[] | undefined
  /** Id of a user. */
  readonly author?: number | undefined
  /** ID of a category or another term, excluding its descendants. */
  readonly category?: number | undefined
  /** First and last day of the posts' dates, in site time, `2026-01-31`. */
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly statuses?: readonly string[] | undefined
  /** Default: yes. */
  readonly comments?: boolean | undefined
}

export interface ExportParts {
  readonly content: Content
  readonly users: Users
  readonly database: Database
  readonly hooks: Hooks
  readonly config: { readonly url: string }
}

/** A WordPress export file (WXR 1.2) that is being written: `opening`, each of the `items`, `closing`. */
export interface WxrExport {
  /** Expected number of items; content may change during the export. */
  readonly total: number
  /** Site, authors and terms. */
  opening(): AsyncGenerator<string>
  /** Posts with everything that belongs to them, each in chunks, in the order of their IDs. */
  items(): AsyncGenerator<AsyncGenerator<string>>
  readonly closing: string
}
