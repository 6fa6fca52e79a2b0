import { type Command, Option } from 'commander'
import { stringify } from 'csv-stringify/sync'

/** Fields of an item in the output of a command, by WP-CLI's names. */
export type Row = Readonly<Record<string, unknown>>

export interface OutputOptions {
  readonly format: 'table' | 'json' | 'csv' | 'ids' | 'count'
  readonly fields?: string
  readonly field?: string
}

/** Adds WP-CLI's `--format`, `--fields` and `--field` to a command that lists things. */
export function withListOutput(command: Command): Command {
  return command
    .addOption(formats(['table', 'json', 'csv', 'ids', 'count']))
    .option('--fields <names>', 'only these fields, comma-separated')
    .option('--field <name>', 'only the values of this field, one per line')
}

/** The same to a command that shows one thing. */
export function withItemOutput(command: Command): Command {
  return command
    .addOption(formats(['table', 'json', 'csv']))
    .option('--fields <names>', 'only these fields, comma-separated')
    .option('--field <name>', 'only the value of this field')
}

function formats(names: readonly string[]): Option {
  return new Option('--format <format>', 'output format').choices(names).default('table')
}

/** Prints a list like WP-CLI: as a table on a terminal, otherwise as tab-separated columns. */
export function printList(
  rows: readonly Row[],
  { format, fields, field }: OutputOptions,
  defaults: readonly string[],
): void {
  const [id = ''] = defaults
  const shown = fields?.split(',').map((name) => name.trim()) ?? defaults
  requireFields(rows, field === undefined ? shown : [field])
  if (format === 'count') console.log(String(rows.length))
  else if (format === 'ids') console.log(rows.map((row) => row[id]).join(' '))
  else if (field !== undefined)
    printColumn(
      rows.map((row) => row[field]),
      format,
    )
  else if (format === 'json') console.log(JSON.stringify(rows.map((row) => pick(row, shown))))
  else printRows([shown, ...rows.map((row) => shown.map((name) => inCell(row[name])))], format)
}

/** Prints one thing, a field on each line. */
export function printItem(row: Row, { format, fields, field }: OutputOptions): void {
  const shown = fields?.split(',').map((name) => name.trim()) ?? Object.keys(row)
  requireFields([row], field === undefined ? shown : [field])
  if (field !== undefined) printValue(row[field], format)
  else if (format === 'json') console.log(JSON.stringify(pick(row, shown)))
  else printRows([['Field', 'Value'], ...shown.map((name) => [name, inCell(row[name])])], format)
}

/** Prints one value: a string unchanged, anything else as JSON. */
export function printValue(value: unknown, format: OutputOptions['format'] = 'table'): void {
  console.log(typeof value === 'string' && format !== 'json' ? value : JSON.stringify(value))
}

function printColumn(values: readonly unknown[], format: OutputOptions['format']): void {
  if (format === 'json') console.log(JSON.stringify(values))
  else for (const value of values) console.log(inCell(value))
}

function printRows(rows: readonly (readonly string[])[], format: OutputOptions['format']): void {
  if (format === 'csv') {
    // A title that begins like a formula would run in the spreadsheet that opens the file. WP-CLI escapes it the same way.
    process.stdout.write(
      stringify(
        rows.map((row) => [...row]),
        { escape_formulas: true },
      ),
    )
    return
  }
  const lines = rows.map((row) => row.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')))
  if (!process.stdout.isTTY) {
    for (const line of lines) console.log(line.join('\t'))
    return
  }
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  for (const line of lines)
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

function inCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
}

function requireFields(rows: readonly Row[], names: readonly string[]): void {
  const [first] = rows
  const unknown = first && names.find((name) => !Object.hasOwn(first, name))
  if (unknown !== undefined)
    throw new Error(`There is no field "${unknown}". Fields: ${Object.keys(first ?? {}).join(', ')}`)
}
