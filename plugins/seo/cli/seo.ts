import { existsSync, readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { callRoute, createProgress, readWordPressOptions, type Site, withHost } from 'pentad/cli'
import type { MigrationReport, MigrationSite, RedirectCounts } from '../legacy/migrate.ts'
import { LEGACY_IDS, type LegacyId } from '../legacy/types.ts'

/** `pentad seo`: takes over what other SEO plugins left. */
export function seoCommand(): Command {
  const command = new Command('seo').description('take over what another SEO plugin left in an imported site')
  command
    .command('migrate')
    .description('turn titles, descriptions, robots, social data and redirects of another SEO plugin into ours')
    .addOption(new Option('--from <plugin>', 'whose; without it: what there is').choices(LEGACY_IDS))
    .option('--dry-run', 'only say what would be done')
    .option('--overwrite', 'replace what is set here already')
    .option('--options <file>', 'wp_options of the old site as JSON: takes over settings, terms and redirects in them')
    .option('--redirects <file>', "the plugin's own export of its redirects, CSV")
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
    if (file !== undefined && !existsSync(file)) throw new Error(`There is no file ${file}.`)
  }
  if (!from && given.options !== undefined) throw new Error('Say with --from whose options they are.')
  const wordPressOptions = given.options === undefined ? {} : readWordPressOptions(given.options)
  await withHost(async (host) => {
    if (!host.settings.get('seo')) {
      throw new Error('The SEO service is switched off. Switch it on: npm run pentad -- extension activate seo')
    }
    if (!from) return given.redirects === undefined ? list(host) : takeRedirects(host, given.redirects, dryRun)
    // Only now: it brings the settings of the whole service along.
    const { migrateLegacy } = await import('../legacy/migrate.ts')
    const tellImport = (hook: 'import_start' | 'import_end') => (dryRun ? undefined : host.hooks.doActionAsync(hook))
    const progress = createProgress()
    await tellImport('import_start')
    try {
      const report = await migrateLegacy(migrationSite(host), {
        ...{ from, dryRun, overwrite, wordPressOptions },
        onProgress: (done, total) => progress.update('Posts and terms', done, total),
      })
      progress.end()
      console.log(describe(report, dryRun))
      if (given.redirects !== undefined) await takeRedirects(host, given.redirects, dryRun)
    } finally {
      progress.end()
      await tellImport('import_end')
    }
  })
}

/** Imports a plugin's own export of its redirects, in whatever encoding a spreadsheet left it. */
async function takeRedirects(host: Site, file: string, dryRun: boolean): Promise<void> {
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
  console.log(`  redirects  ${rules.length} in ${file}, ${errors.length} that cannot be read${linesOf(errors)}`)
}

/** What a migration may do: content directly, settings and redirects as an administrator does. */
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
  if (plugins.length === 0) console.log('No other SEO plugin left anything in this site.')
  for (const { id, name, posts } of plugins) console.log(`${id.padEnd(14)}${String(posts).padStart(7)} posts  ${name}`)
  if (plugins[0]) console.log(`\nTake it over with: npm run pentad -- seo migrate --from ${plugins[0].id} --dry-run`)
}

function describe({ posts, terms, values, settings, redirects }: MigrationReport, dryRun: boolean): string {
  const isThere = posts.found + terms.found + redirects.found + settings.written.length + settings.kept.length > 0
  if (!isThere) return 'It left nothing in this site. Without --from the command says which plugins did.'
  const lines = [
    dryRun ? 'Nothing was written. A migration would do this:' : 'Done:',
    `  posts      ${posts.changed} of ${posts.found} changed`,
    `  terms      ${terms.changed} of ${terms.found} changed`,
    `  values     ${values.written} written, ${values.same} were the same, ${values.kept} kept as they are set here`,
  ]
  if (values.writtenOut > 0) lines.push(`  variables  ${values.writtenOut} written out: we have none for them`)
  if (settings.written.length > 0) lines.push(`  settings   ${settings.written.join(', ')}`)
  if (settings.kept.length > 0)
    lines.push(`  kept       ${settings.kept.join(', ')}: set here; --overwrite replaces them`)
  if (redirects.found > 0) lines.push(dryRun ? `  redirects  ${redirects.found}` : describeRedirects(redirects))
  if (values.notTaken.size > 0) lines.push('Not taken over:')
  for (const [what, times] of values.notTaken) lines.push(`  ${times} × ${what}`)
  return lines.join('\n')
}

function describeRedirects({ imported, skipped, errors }: RedirectCounts): string {
  return `  redirects  ${imported} imported, ${skipped} were here already, ${errors.length} not taken${linesOf(errors)}`
}

const linesOf = (errors: RedirectCounts['errors']) =>
  errors.map(({ line, message }) => `\n    ${line}: ${message}`).join('')
