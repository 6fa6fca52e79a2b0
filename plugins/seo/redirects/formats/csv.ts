import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'

/** One row of a file; blank lines are skipped. */
export interface CsvRow {
  /** First line of the row, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvFile {
  readonly rows: readonly CsvRow[]
  /** Invalid rows; reading continues after them. */
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

const DELIMITERS = [',', ';', '\t', '|']
/** Maximum number of rows with misplaced quotation marks, each of which may require scanning the rest of the file. */
const MOST_BAD_ROWS = 1_000
/** Number of bytes parsed before yielding. */
const PIECE = 16_384
/** A cell that a spreadsheet would evaluate as a formula, even behind an apostrophe. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Reads CSV as plugins and spreadsheets write it. Yields to the event loop in between. */
export async function readCsv(text: string): Promise<CsvFile> {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const delimiter = delimiterOf(source)
  const rows: CsvRow[] = []
  const errors: { line: number; message: string }[] = []
  // Bytes, so that a slice needs no copy: each bad row starts a new one.
  let rest = Buffer.from(source)
  let line = 1
  for (;;) {
    const bad = await readRows(rest, { delimiter }, (cells, at) => add(line + at, cells))
    if (!bad) break
    rest = rest.subarray(offsetOfLine(rest, bad.at))
    line += bad.at
    if (errors.length === MOST_BAD_ROWS) {
      errors.push({ line, message: 'Too many invalid rows. The rest of the file was skipped.' })
      break
    }
    // The row may be a single line with literal quotation marks; otherwise it is skipped.
    const end = offsetOfLine(rest, 1)
    const alone: string[][] = []
    if (await readRows(rest.subarray(0, end), { delimiter, relax_quotes: true }, (cells) => alone.push(cells))) {
      errors.push({ line, message: 'Misplaced quotation mark.' })
    } else for (const cells of alone) add(line, cells)
    rest = rest.subarray(end)
    line++
  }
  return { rows, errors }

  function add(at: number, cells: readonly string[]): void {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: at, cells: cells.map(restored) })
  }
}

/** @returns number of lines before the invalid row, `undefined` if all rows are valid */
async function readRows(
  text: Buffer,
  options: { readonly delimiter: string; readonly relax_quotes?: true },
  row: (cells: string[], linesBefore: number) => void,
): Promise<{ at: number } | undefined> {
  let done = 0
  const parser = parse({
    ...options,
    relax_column_count: true,
    record_delimiter: '\n',
    on_record(record, { lines }) {
      row(record, done)
      done = lines
      return null
    },
  })
  try {
    await pipeline(pieces(text), parser.resume())
    return undefined
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { at: done }
  }
}

async function* pieces(text: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += PIECE) {
    yield text.subarray(at, at + PIECE)
    await setImmediate()
  }
}

function offsetOfLine(text: Buffer, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return text.length
    at = end + 1
  }
  return at
}

/** The most frequent separator in the first line outside of quotation marks. */
function delimiterOf(text: string): string {
  const first =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Writes CSV (RFC 4180) without cells that spreadsheets evaluate as formulas. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? neutral(cell) : cell))),
    { quoted_match: /^\s|\s$/ },
  )
}

function neutral(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

function restored(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
