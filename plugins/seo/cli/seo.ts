import { existsSync, readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { callRoute, createProgress, ownCommand, readWordPressOptions, type Site, withHost } from 'pentad/cli'
import type { MigrationReport, MigrationSite, RedirectCounts } from '../legacy/migrate.ts'
import { LEGACY_IDS, type LegacyId } from '../legacy/types.ts'

/** `pentad seo`: imports the data of other SEO plugins. */
export function seoCommand(): Command {
  const command = new Command('seo').description('import data from another SEO plugin after importing a WordPress site')
  command
    .command('migrate')
    .description('import titles, meta descriptions, robots and social settings, and redirects from another SEO plugin')
    .addOption(
      new Option('--from <plugin>', 'plugin to import from; without it, lists the plugins found').choices(LEGACY_IDS),
    )
    .option('--dry-run', 'report what would change, without writing anything')
    .option('--overwrite', 'replace values that are already set')
    .option(
      '--options <file>',
      'JSON export of the wp_options table of the old site; imports settings, terms, and redirects',
    )
    .option('--redirects <file>', 'CSV export of the redirects from the plugin')
    .action(migrate)
  return command
}

interface Given {
  readonly from?: LegacyId
  readonly dryRun?: boolean
  readonly overwrite?: boolean
  readonly options?: string
  readonly redirects?: string
}

async function migrate(given: Given): Promise<void> {
  const { from, dryRun = false, overwrite = false } = given
  for (const file of [given.options, given.redirects]) {
    if (file !== undefined && !existsSync(file)) throw new Error(`File not found: ${file}.`)
  }
  if (!from && given.options !== undefined)
    throw new Error('--options requires --from: name the plugin that the options belong to.')
  const wordPressOptions = given.options === undefined ? {} : readWordPressOptions(given.options)
  await withHost(async (host) => {
    if (!host.settings.get('seo')) {
      throw new Error(`The SEO service is not active. To activate it, run: ${ownCommand('extension activate seo')}`)
    }
    if (!from) return given.redirects === undefined ? list(host) : importRedirectFile(host, given.redirects, dryRun)
    // Loaded on demand: it imports the settings of the whole service.
    const { migrateLegacy } = await import('../legacy/migrate.ts')
    const emitImport = (hook: 'import_start' | 'import_end') => (dryRun ? undefined : host.hooks.doActionAsync(hook))
    const progress = createProgress()
    await emitImport('import_start')
    try {
      const report = await migrateLegacy(migrationSite(host), {
        ...{ from, dryRun, overwrite, wordPressOptions },
        onProgress: (done, total) => progress.update('Posts and terms', done, total),
      })
      progress.end()
      console.log(describe(report, dryRun))
      if (given.redirects !== undefined) await importRedirectFile(host, given.redirects, dryRun)
    } finally {
      progress.end()
      await emitImport('import_end')
    }
  })
}

/** Imports a CSV export of redirects; spreadsheets save these in different encodings. */
async function importRedirectFile(host: Site, file: string, dryRun: boolean): Promise<void> {
  const [{ decodeText }, { readRulesOf }] = await Promise.all([
    import('../redirects/formats/decode.ts'),
    import('../redirects/formats/index.ts'),
  ])
  const csv = decodeText(readFileSync(file))
  if (!dryRun) {
    console.log(describeRedirects(await callRoute(host, 'POST', '/seo/v1/redirects/import', { csv })))
    return
  }
  const { rules, errors } = await readRulesOf(csv, 'auto')
  console.log(`  redirects  ${rules.length} in ${file}, ${errors.length} invalid${linesOf(errors)}`)
}

/** What a migration can access: content directly, settings and redirects through the REST API as an administrator. */
export function migrationSite(host: Site): MigrationSite {
  const { content, database, options } = host
  return {
    ...{ content, users: host.auth.users, database, options },
    saveSettings: (settings) => callRoute(host, 'PUT', '/seo/v1/settings', { settings }),
    importRedirects: (rules) => callRoute(host, 'POST', '/seo/v1/redirects/import', { rules }),
  }
}

async function list(host: Site): Promise<void> {
  const { plugins } = await callRoute<{ plugins: { id: LegacyId; name: string; posts: number }[] }>(
    host,
    'GET',
    '/seo/v1/legacy-seo',
  )
  if (plugins.length === 0) console.log('No data from other SEO plugins found.')
  for (const { id, name, posts } of plugins) console.log(`${id.padEnd(14)}${String(posts).padStart(7)} posts  ${name}`)
  if (plugins[0])
    console.log(`\nTo preview an import, run: ${ownCommand(`seo migrate --from ${plugins[0].id} --dry-run`)}`)
}

function describe({ posts, terms, values, settings, redirects }: MigrationReport, dryRun: boolean): string {
  const isThere = posts.found + terms.found + redirects.found + settings.written.length + settings.kept.length > 0
  if (!isThere) return 'No data from this plugin found. Run the command without --from to list the plugins with data.'
  const lines = [
    dryRun ? 'Dry run: nothing was written. The import would make these changes:' : 'Import complete:',
    `  posts      ${posts.changed} of ${posts.found} changed`,
    `  terms      ${terms.changed} of ${terms.found} changed`,
    `  values     ${values.written} imported, ${values.same} unchanged, ${values.kept} skipped because they are already set`,
  ]
  if (values.writtenOut > 0)
    lines.push(`  variables  ${values.writtenOut} without an equivalent, replaced by their current text`)
  if (settings.written.length > 0) lines.push(`  settings   ${settings.written.join(', ')}`)
  if (settings.kept.length > 0)
    lines.push(`  skipped    ${settings.kept.join(', ')}: already set; use --overwrite to replace them`)
  if (redirects.found > 0) lines.push(dryRun ? `  redirects  ${redirects.found}` : describeRedirects(redirects))
  if (values.notTaken.size > 0) lines.push('Not imported:')
  for (const [what, times] of values.notTaken) lines.push(`  ${times} × ${what}`)
  return lines.join('\n')
}

function describeRedirects({ imported, skipped, errors }: RedirectCounts): string {
  return `  redirects  ${imported} imported, ${skipped} already exist, ${errors.length} rejected${linesOf(errors)}`
}

const linesOf = (errors: RedirectCounts['errors']) =>
  errors.map(({ line, message }) => `\n    ${line}: ${message}`).join('')
