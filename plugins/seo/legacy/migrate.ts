import { isDeepStrictEqual } from 'node:util'
import type { Auth, Content, Database, JsonValue, Meta, Options } from 'pentad'
import { settingsSchema } from '../settings.ts'
import { legacyPlugins } from './plugins/index.ts'
import { readLegacyFields } from './read-fields.ts'
import { redirectOf } from './redirects.ts'
import { settingsOf } from './settings.ts'
import { postIds, termIds } from './stored.ts'
import { createTakeOver } from './take-over.ts'
import { createTally, type Tally } from './tally.ts'
import type { LegacyId, LegacyOptions, LegacyPlugin, LegacyRedirect } from './types.ts'
import { type JsonObject, membersOf } from './values.ts'
import { placeOf } from './write-out.ts'

/** Posts or terms whose meta is read together. */
const BATCH = 200

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
  /** Posts and terms with data of the plugin, and those of them that take over some of it. */
  readonly posts: Count
  readonly terms: Count
  readonly values: Tally
  /** Names of the settings that were written, and of those that stayed as the owner has set them. */
  readonly settings: { readonly written: readonly string[]; readonly kept: readonly string[] }
  readonly redirects: { readonly found: number } & RedirectCounts
}

interface Count {
  found: number
  changed: number
}

const NO_REDIRECTS: RedirectCounts = { imported: 0, skipped: 0, errors: [] }

/**
 * Takes over what another SEO plugin of WordPress left in the site: titles and descriptions with their variables,
 * canonical addresses, robots, social data and redirects, and its settings where there are any. What the owner has
 * set here stays unless `overwrite` says otherwise. Nothing of theirs is removed, so it can be done again.
 */
export async function migrateLegacy(site: MigrationSite, request: MigrationRequest): Promise<MigrationReport> {
  const { content } = site
  const { from, dryRun, onProgress } = request
  const plugin = legacyPlugins[from]
  const options = optionsOf(plugin, site.options, request.wordPressOptions)
  const tally = createTally()
  const takeOver = createTakeOver(content, plugin, { ...request, tally })
  const redirects: LegacyRedirect[] = [...(plugin.redirects?.(options) ?? [])]
  const optionTerms = new Map(plugin.terms?.(options).map((term) => [term.id, term]))
  const allPosts = await postIds(site.database, plugin)
  const allTerms = [...new Set([...(await termIds(site.database, plugin)), ...optionTerms.keys()])]
  let done = 0

  async function each<Thing>(
    kind: 'post' | 'term',
    ids: readonly number[],
    things: { getMany(ids: readonly number[]): Promise<Map<number, Thing>> },
    migrate: (thing: Thing | undefined, id: number, meta: Meta) => Promise<boolean>,
  ): Promise<Count> {
    const count = { found: ids.length, changed: 0 }
    for (let start = 0; start < ids.length; start += BATCH) {
      const some = ids.slice(start, start + BATCH)
      const found = await things.getMany(some)
      for (const [id, meta] of await content.meta.of(kind, some)) {
        if (await migrate(found.get(id), id, meta)) count.changed++
        onProgress(++done, allPosts.length + allTerms.length)
      }
    }
    return count
  }

  const posts = await each('post', allPosts, content.posts, async (post, id, meta) => {
    if (!post) return false
    const fields = readLegacyFields(plugin, meta, options)
    const redirect = redirectOf(plugin, post, fields)
    if (redirect) redirects.push(redirect)
    const place = placeOf(post, { content, users: site.users, meta })
    return takeOver({ ...place, kind: 'post', id, subtype: post.type, meta }, fields)
  })

  const terms = await each('term', allTerms, content.terms, async (term, id, meta) => {
    const inOptions = optionTerms.get(id)
    // An id of the old site may be another term's here.
    if (!term || (inOptions && inOptions.taxonomy !== term.taxonomy)) {
      tally.miss('a term that is not here')
      return false
    }
    const fields = { ...inOptions?.fields, ...readLegacyFields(plugin, meta, options) }
    const place = { isTerm: true, writeOut: async () => undefined }
    return takeOver({ ...place, kind: 'term', id, subtype: term.taxonomy, meta }, fields)
  })

  const isThere = posts.found + terms.found + redirects.length + Object.keys(options).length > 0
  const theirs = isThere ? await settingsOf(plugin, options, { content, tally }) : {}
  return {
    ...{ posts, terms, values: tally },
    settings: await migrateSettings(site, theirs, { ...request, tally }),
    redirects: {
      found: redirects.length,
      ...(dryRun || redirects.length === 0 ? NO_REDIRECTS : await site.importRedirects(redirects)),
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
    else tally.miss(`the setting ${name}: a value that does not fit`)
  }
  const written = Object.keys(changes)
  if (written.length > 0 && !dryRun) await site.saveSettings(changes)
  return { written, kept }
}
