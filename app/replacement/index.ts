/** Replacing parts of a site, as a restore does, and staging databases. */
export { replacementView, type SiteReplacement } from './extension-view.ts'
export {
  beginReplacement,
  finishReplacement,
  lastReplacement,
  type Replacement,
  type ReplacementOutcome,
} from './replacement.ts'
export { createRestart, type Restart } from './restart.ts'
export { siteTables } from './site-tables.ts'
export { openStagingDatabase, removeStagingDatabase, type StagingDatabase } from './staging-database.ts'
