import { isDeepStrictEqual } from 'node:util'
import type { Auth, Content, Database, JsonValue, Options } from 'pentad'
import { settingsSchema } from '../settings.ts'
import { type Count, type MigratedItems, migrateItems } from './migrate-items.ts'
import { legacyPlugins } from './plugins/index.ts'
import { readLegacySettings } from './read-options.ts'
import { createTally, type Tally } from './tally.ts'
import type { LegacyId, LegacyOptions, LegacyPlugin, LegacyRedirect } from './types.ts'
import { type JsonObject, membersOf } from './values.ts'

export interface MigrationRequest {
  readonly from: LegacyId
  /** Reports what would change, without writing anything. */
  readonly dryRun: boolean
  /** Replaces values that are already set. */
  readonly overwrite: boolean
  /** Records of the `wp_options` table of the old site by name; they take precedence over those of this site. */
  readonly wordPressOptions: LegacyOptions
  onProgress(done: number, total: number): void
}

/** What a migration reads and writes. */
export interface MigrationSite {
  readonly content: Content
  readonly users: Auth['users']
  readonly database: Database
  readonly options: Pick<Options, 'get'>
  saveSettings(settings: JsonObject): Promise<void>
  importRedirects(rules: readonly LegacyRedirect[]): Promise<RedirectCounts>
}

export interface RedirectCounts {
  readonly imported: number
  readonly skipped: number
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

export interface MigrationReport {
  readonly posts: Count
  readonly terms: Count
  readonly values: Tally
  /** Names of the settings that were written, and of those that were skipped because they were already set. */
  readonly settings: { readonly written: readonly string[]; readonly kept: readonly string[] }
  readonly redirects: { readonly found: number } & RedirectCounts
}

const NO_REDIRECTS: RedirectCounts = { imported: 0, skipped: 0, errors: [] }

/**
 * Imports the data of another WordPress SEO plugin: titles and descriptions with their variables, canonical URLs,
 * robots, social data, redirects and settings. Values that are already set are kept unless `overwrite` is set. The
 * original data is not removed, so the import can be repeated.
 */
export async function migrateLegacy(site: MigrationSite, request: MigrationRequest): Promise<MigrationReport> {
  const { plugin, options } = readPlugin(site, request)
  const tally = createTally()
  const found = await migrateItems(site, { ...request, plugin, options, tally })
  return finishMigration(site, request, { ...found, tally })
}

/** The plugin and its stored options. */
export function readPlugin(
  { options }: Pick<MigrationSite, 'options'>,
  { from, wordPressOptions }: Pick<MigrationRequest, 'from' | 'wordPressOptions'>,
): { plugin: LegacyPlugin; options: LegacyOptions } {
  const plugin = legacyPlugins[from]
  return { plugin, options: optionsOf(plugin, options, wordPressOptions) }
}

/** The steps after posts and terms: redirects and settings. */
export async function finishMigration(
  site: MigrationSite,
  request: Omit<MigrationRequest, 'onProgress'>,
  found: Omit<MigratedItems, 'next'> & { tally: Tally },
): Promise<MigrationReport> {
  const { plugin, options } = readPlugin(site, request)
  const { posts, terms, tally } = found
  const redirects = [...(plugin.redirects?.(options) ?? []), ...found.redirects]
  const isThere = posts.found + terms.found + redirects.length + Object.keys(options).length > 0
  const theirs = isThere ? await readLegacySettings(plugin, options, { content: site.content, tally }) : {}
  const isImported = redirects.length > 0 && !request.dryRun
  return {
    ...{ posts, terms, values: tally },
    settings: await migrateSettings(site, theirs, { ...request, tally }),
    redirects: {
      found: redirects.length,
      ...(isImported ? await site.importRedirects(redirects) : NO_REDIRECTS),
    },
  }
}

/** Options of the plugin: from the old site, or imported to this one. */
function optionsOf(plugin: LegacyPlugin, here: Pick<Options, 'get'>, there: LegacyOptions): LegacyOptions {
  const records: Record<string, JsonValue> = {}
  for (const name of plugin.optionNames) {
    const record = there[name] ?? here.get(name)
    if (record !== undefined) records[name] = record
  }
  return records
}

async function migrateSettings(
  site: MigrationSite,
  theirs: JsonObject,
  { dryRun, overwrite, tally }: Pick<MigrationRequest, 'dryRun' | 'overwrite'> & { tally: Tally },
): Promise<MigrationReport['settings']> {
  // Without defaults: only explicitly set values.
  const chosen = membersOf(site.options.get('seo_settings'))
  const schemas: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } } | undefined>> =
    settingsSchema.shape
  const changes: Record<string, JsonValue> = {}
  const kept: string[] = []
  for (const [name, value] of Object.entries(theirs)) {
    if (isDeepStrictEqual(chosen[name], value)) continue
    if (chosen[name] !== undefined && !overwrite) kept.push(name)
    else if (schemas[name]?.safeParse(value).success) changes[name] = value
    else tally.miss(`setting ${name}: invalid value`)
  }
  const written = Object.keys(changes)
  if (written.length > 0 && !dryRun) await site.saveSettings(changes)
  return { written, kept }
}
