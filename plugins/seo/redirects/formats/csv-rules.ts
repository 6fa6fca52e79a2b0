import { setImmediate } from 'node:timers/promises'
import type { ImportedRule, RedirectRule } from '../types.ts'
import { type CsvRow, readCsv, writeCsv } from './csv.ts'
import { IN_A_ROW, LEFT_OUT, MOST_ERRORS, type ReadFile } from './file.ts'
import {
  CSV_FORMATS,
  type CsvFormat,
  columnName,
  impliedQuery,
  ROW_READERS,
  type RowReader,
  UNKNOWN,
} from './row-readers.ts'

/** Reads redirects from CSV. Columns are detected by their header in any order, or by position if there is none. */
export async function readCsvRules(text: string, wanted: CsvFormat | 'auto'): Promise<ReadFile> {
  const { rows, errors: unreadable } = await readCsv(text)
  const errors = [...unreadable]
  const [first, ...others] = rows
  if (!first) return { rules: [], errors }
  const { format, columns, hasHeader } = layoutOf(first, others[0], wanted)
  const reader = ROW_READERS[format]
  const rules: ImportedRule[] = []
  for (const [at, { line, cells }] of (hasHeader ? others : rows).entries()) {
    if (at % IN_A_ROW === 0) await setImmediate()
    if (errors.length >= MOST_ERRORS) {
      errors.push({ line, message: LEFT_OUT })
      break
    }
    try {
      if (cells.length < 2) throw new Error('The row has only one column.')
      const row = (column: string) => cells[columns.indexOf(column)]?.trim() ?? ''
      rules.push(...reader.read(row).map((rule) => ({ line, rule })))
    } catch (error) {
      errors.push({ line, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { rules, errors }
}

/** The columns, and whether the first row is a header. */
function layoutOf(
  first: CsvRow,
  second: CsvRow | undefined,
  wanted: CsvFormat | 'auto',
): { format: CsvFormat; columns: readonly string[]; hasHeader: boolean } {
  const formats = wanted === 'auto' ? CSV_FORMATS : [wanted]
  for (const format of formats) {
    const columns = first.cells.map((cell) => columnName(cell, format))
    if (isHeader(columns, ROW_READERS[format])) return { format, columns, hasHeader: true }
  }
  const format = wanted === 'auto' ? 'generic' : wanted
  // A header in an unknown language: words where later rows have paths.
  const hasHeader = second !== undefined && !first.cells.some(isAddress) && second.cells.some(isAddress)
  return { format, columns: ROW_READERS[format].columns, hasHeader }
}

function isHeader(columns: readonly string[], { columns: known, telling }: RowReader): boolean {
  return known.slice(0, telling).every((column) => columns.includes(column))
}

function isAddress(cell: string): boolean {
  return /^(?:\^|\/|https?:)/i.test(cell.trim())
}

const REDIRECTION = ['source', 'target', 'regex', 'code', 'type', 'hits', 'title', 'status'] as const
/** Columns that Redirection does not have; it ignores unknown columns. */
const OURS = ['match', 'query', 'caseSensitive'] as const

/** Columns of Redirection, plus those needed for a lossless re-import. */
export function writeCsvRules(rules: readonly RedirectRule[]): string {
  const isPlain = rules.every(
    ({ match, source, target, query, caseSensitive }) =>
      match !== 'wildcard' && target !== UNKNOWN && !caseSensitive && query === impliedQuery(source, match),
  )
  const header = isPlain ? REDIRECTION : [...REDIRECTION, ...OURS]
  const rows = rules.map((rule) => {
    const cells = [
      ...[rule.source, rule.target, rule.match === 'regex' ? 1 : 0, rule.status],
      ...[rule.target === '' ? 'error' : 'url', rule.hits, rule.note, rule.enabled ? 'active' : 'disabled'],
    ]
    return isPlain ? cells : [...cells, rule.match, rule.query, rule.caseSensitive ? 1 : 0]
  })
  return writeCsv([header, ...rows])
}
