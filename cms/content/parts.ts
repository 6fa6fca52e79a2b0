import type { Database } from '../../core/database/index.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { NoteChange, WriteContent } from './one-writer.ts'
import type { Structure } from './permalinks/structure.ts'
import type { ReadRows } from './posts/read-rows.ts'
import type { PublicText } from './public-text.ts'
import type { Readers } from './readers.ts'
import type { Registrations } from './registrations.ts'
import type { SearchIndex } from './search/index.ts'
import type { SiteSettings } from './types.ts'
import type { ContentVersions } from './versions.ts'

/** Parts from which the content repositories are created. */
export interface ContentParts {
  readonly database: Database
  readonly hooks: Hooks
  readonly registrations: Registrations
  readonly readers: Readers
  readonly readRows: ReadRows
  /** A function, because it is created after the repositories that it reads. */
  readonly publicText: () => PublicText
  readonly search: SearchIndex
  readonly settings: () => SiteSettings
  /** The permalink structure now. */
  readonly structure: () => Structure
  /** Former structures of the site, latest first. */
  readonly formerStructures: () => readonly Structure[]
  readonly versions: ContentVersions
  readonly write: WriteContent
  readonly noteChange: NoteChange
  /** Public origin, without a trailing slash. */
  readonly siteUrl: string
}
