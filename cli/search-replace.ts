import { Command, Option } from 'commander'
import { searchReplace } from '../cms/content/search-replace/index.ts'
import { type OutputOptions, printList } from './output.ts'
import { createProgress } from './progress.ts'
import { withHost } from './with-host.ts'

interface SearchReplaceOptions {
  readonly dryRun?: boolean
  readonly regex?: boolean
  readonly includeColumns?: string
  readonly skipColumns?: string
  readonly skipTables?: string
  readonly reportChangedOnly?: boolean
  readonly format: OutputOptions['format']
}

/** `pentad search-replace`, with the options of WP-CLI's `wp search-replace`. */
export function searchReplaceCommand(): Command {
  return new Command('search-replace')
    .argument('<old>', 'text to search for')
    .argument('<new>', 'text to replace it with')
    .argument(
      '[tables...]',
      'only these tables: posts, postmeta, terms, termmeta, comments, commentmeta, users, options',
    )
    .option('--dry-run', 'report what would be replaced, without making changes')
    .option(
      '--regex',
      'treat the search text as a regular expression (RE2); $1 in the replacement inserts a captured group',
    )
    .option('--include-columns <names>', 'only these columns, comma-separated; guid is only replaced if listed here')
    .option('--skip-columns <names>', 'exclude these columns, comma-separated')
    .option('--skip-tables <names>', 'exclude these tables, comma-separated')
    .option('--report-changed-only', 'list only columns with replacements')
    .addOption(
      new Option('--format <format>', 'format of the report')
        .choices(['table', 'json', 'csv', 'count'])
        .default('table'),
    )
    .description('replace text in posts, meta, terms, comments, users, and settings')
    .action(run)
}

async function run(
  search: string,
  replacement: string,
  tables: readonly string[],
  given: SearchReplaceOptions,
): Promise<void> {
  await withHost(async (host) => {
    const progress = createProgress()
    const asked = {
      ...{ search, replacement, isRegex: given.regex, dryRun: given.dryRun },
      tables: tables.length > 0 ? tables : undefined,
      skipTables: split(given.skipTables),
      includeColumns: split(given.includeColumns),
      skipColumns: split(given.skipColumns),
    }
    const report = await searchReplace(host, asked, progress.update).finally(() => progress.end())
    const total = report.reduce((sum, { replacements }) => sum + replacements, 0)
    if (given.format === 'count') {
      console.log(String(total))
      return
    }
    const shown = given.reportChangedOnly ? report.filter(({ replacements }) => replacements > 0) : report
    printList(
      shown.map(({ table, column, replacements }) => ({ Table: table, Column: column, Replacements: replacements })),
      given,
      ['Table', 'Column', 'Replacements'],
    )
    if (given.format !== 'table') return
    console.log(given.dryRun ? `Replacements that would be made: ${total}.` : `Replacements made: ${total}.`)
  })
}

function split(list: string | undefined): string[] | undefined {
  return list?.split(',').map((name) => name.trim())
}
