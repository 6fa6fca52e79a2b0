import { deprecate } from 'node:util'
import type { DatabasePlace } from '../../core/database/index.ts'
import type { ExtensionView } from '../../core/extensions/context.ts'
import { lastReplacement, type Replacement, type ReplacementOutcome } from './replacement.ts'
import type { Restart } from './restart.ts'
import { siteTables } from './site-tables.ts'
import { openStagingDatabase, removeStagingDatabase, type StagingDatabase } from './staging-database.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionSite extends SiteReplacement {}
}

/** Members that a restore needs, in addition to those of every extension. */
export interface SiteReplacement {
  /**
   * Starts replacing parts of the site. The host then closes, performs all renames or reverts all of them, and opens
   * again; the result is in `lastReplacement`. @throws Error if it cannot start; in that case nothing has changed
   */
  replace(replacement: Replacement): void
  /** The last replacement of the site. */
  lastReplacement(): { readonly id: string; readonly outcome?: ReplacementOutcome | undefined } | undefined
  /** Opens an empty staging database with the tables of the host and its parts, to be filled and to replace the site's database. */
  openStagingDatabase(place: DatabasePlace): Promise<StagingDatabase>
  /** Removes a staging database, or one that was set aside. Does nothing if there is none. */
  removeStagingDatabase(place: DatabasePlace): Promise<void>
  /** @deprecated Use `openStagingDatabase`. */
  openDatabaseBeside(place: DatabasePlace): Promise<StagingDatabase>
  /** @deprecated Use `removeStagingDatabase`. */
  removeDatabaseBeside(place: DatabasePlace): Promise<void>
}

/** The members for replacing parts of the site. */
export function replacementView(
  config: { readonly siteDir: string; readonly databaseUrl?: string | undefined },
  { replace }: Pick<Restart, 'replace'>,
): ExtensionView {
  const open = (place: DatabasePlace) => openStagingDatabase(config, place, siteTables)
  const remove = (place: DatabasePlace) => removeStagingDatabase(config, place)
  const site: SiteReplacement = {
    replace,
    lastReplacement: () => lastReplacement(config.siteDir),
    openStagingDatabase: open,
    removeStagingDatabase: remove,
    openDatabaseBeside: deprecate(
      open,
      'host.site.openDatabaseBeside was renamed to openStagingDatabase.',
      'PENTAD_STAGING_DATABASE',
    ),
    removeDatabaseBeside: deprecate(
      remove,
      'host.site.removeDatabaseBeside was renamed to removeStagingDatabase.',
      'PENTAD_STAGING_DATABASE',
    ),
  }
  return () => ({ site })
}
