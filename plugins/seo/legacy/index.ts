export { type MigrationReport, type MigrationSite, migrateLegacy, type RedirectCounts } from './migrate.ts'
export { registerLegacyReport } from './report.ts'
export { LEGACY_IDS, type LegacyId, type LegacyOptions, type LegacyRedirect } from './types.ts'
