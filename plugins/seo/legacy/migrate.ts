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
  /** Reads all, writes nothing. */
  readonly dryRun: boolean
  /** Replaces what the owner has set here. */
  readonly overwrite: boolean
  /** Records of the old site's `wp_options` by name; they count before those that this site has. */
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
  /** Names of the settings that were written, and of those that stayed as the owner has set them. */
  readonly settings: { readonly written: readonly string[]; readonly kept: readonly string[] }
  readonly redirects: { readonly found: number } & RedirectCounts
}

const NO_REDIRECTS: RedirectCounts = { imported: 0, skipped: 0, errors: [] }

/**
 * Takes over what another SEO plugin of WordPress left in the site: titles and descriptions with their variables,
 * canonical addresses, robots, social data and redirects, and its settings where there are any. What the owner has
 * set here stays unless `overwrite` says otherwise. Nothing of theirs is removed, so it can be done again.
 */
export async function migrateLegacy(site: MigrationSite, request: MigrationRequest): Promise<MigrationReport> {
  const { plugin, options } = readPlugin(site, request)
  const tally = createTally()
  const found = await migrateItems(site, { ...request, plugin, options, tally })
  return finishMigration(site, request, { ...found, tally })
}

/** The plugin, and the records of its options that there are. */
export function readPlugin(
  { options }: Pick<MigrationSite, 'options'>,
  { from, wordPressOptions }: Pick<MigrationRequest, 'from' | 'wordPressOptions'>,
): { plugin: LegacyPlugin; options: LegacyOptions } {
  const plugin = legacyPlugins[from]
  return { plugin, options: optionsOf(plugin, options, wordPressOptions) }
}

/** What comes after posts and terms: redirects and settings. */
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

/** Records that the plugin wrote: of the old site, or as somebody brought them here. */
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
  // Without defaults: what the owner has chosen.
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
