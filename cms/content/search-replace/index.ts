import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { SettingsRegistry } from '../../../core/options/types.ts'
import type { NoteChange } from '../one-writer.ts'
import type { Content } from '../types.ts'
import { COLUMNS, NAMES, OPTIONS, TABLES } from './columns.ts'
import './hooks.ts'
import { replaceInOptions } from './options.ts'
import { createReplacement } from './replace.ts'
import { replaceInTable } from './table.ts'

/** Search text, replacement and scope. */
export interface SearchReplace {
  readonly search: string
  readonly replacement: string
  /** Whether `search` is a regular expression of RE2 and `$1` in `replacement` a group of it. Default: no. */
  readonly isRegex?: boolean | undefined
  /** Change nothing, and report what would be replaced. Default: no. */
  readonly dryRun?: boolean | undefined
  /** Names of tables, `posts` or with WordPress's usual prefix `wp_posts`; default: all. */
  readonly tables?: readonly string[] | undefined
  readonly skipTables?: readonly string[] | undefined
  /** Names of columns, `post_content`; default: all but `guid`. */
  readonly includeColumns?: readonly string[] | undefined
  readonly skipColumns?: readonly string[] | undefined
}

/** Number of values of a column that were, or would be, changed. */
export interface ReplacedColumn {
  readonly table: string
  readonly column: string
  readonly replacements: number
}

/**
 * Replaces text in all content, like `wp search-replace`. Values of meta and settings keep their structure, serialized text its lengths;
 * the current URL of the site also matches stored former ones. Rows are changed in transactions of a hundred, including the search index.
 * Hooks of single posts do not fire; `search_replaced` fires once at the end.
 */
export async function searchReplace(
  parts: {
    readonly database: Database
    readonly content: Content
    readonly settings: SettingsRegistry
    readonly hooks: Pick<Hooks, 'doActionAsync'>
    /** Default: changes are not noted. */
    readonly noteChange?: NoteChange
  },
  asked: SearchReplace,
  onProgress: (table: string, id: number, last: number) => void = () => {},
): Promise<ReplacedColumn[]> {
  const { search, replacement, isRegex = false, dryRun = false, includeColumns } = asked
  const { noteChange = async () => {} } = parts
  const tables = asked.tables?.map(withoutPrefix)
  const skipTables = asked.skipTables?.map(withoutPrefix)
  if (search === '') throw new Error('The text to search for is empty.')
  if (search === replacement) throw new Error('The search text and the replacement are the same.')
  rejectUnknown('table', [...(tables ?? []), ...(skipTables ?? [])], TABLES)
  rejectUnknown('column', [...(includeColumns ?? []), ...(asked.skipColumns ?? [])], NAMES)
  const replaceStored = await createReplacement(search, replacement, isRegex)
  /** Stored former URLs of the site are read as the current one. */
  const replace = (text: string) => {
    const shown = parts.content.currentAddresses(text)
    const replaced = replaceStored(shown)
    return replaced === shown ? replaceStored(text) : replaced
  }
  // Text that may be part of the site's URL may be stored with a former one.
  const needle = isRegex || /[./:]/.test(search) ? undefined : search
  const isWanted = (table: string, name: string, isOptional = false) =>
    (tables?.includes(table) ?? true) &&
    !skipTables?.includes(table) &&
    (includeColumns?.includes(name) ?? !isOptional) &&
    !asked.skipColumns?.includes(name)

  const report: ReplacedColumn[] = []
  try {
    for (const table of TABLES) {
      const columns = COLUMNS.filter((one) => one.table === table && isWanted(table, one.name, one.isOptional))
      if (columns.length === 0) continue
      const counts = await replaceInTable(parts.database, columns, {
        ...{ replace, needle, dryRun, noteChange },
        onProgress: (id, last) => onProgress(table, id, last),
      })
      for (const { name } of columns) report.push({ table, column: name, replacements: counts.get(name) ?? 0 })
    }
    if (isWanted(OPTIONS.table, OPTIONS.name)) {
      const replacements = await replaceInOptions(parts, replaceStored, dryRun)
      report.push({ table: OPTIONS.table, column: OPTIONS.name, replacements })
    }
  } finally {
    // Also of one that failed in the middle: what was changed before has to be shown.
    if (!dryRun) await parts.hooks.doActionAsync('search_replaced', search, replacement)
  }
  return report
}

const withoutPrefix = (table: string) => table.replace(/^wp_/, '')

function rejectUnknown(noun: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no ${noun} "${unknown}". Names: ${known.join(', ')}`)
}
