import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'

/** One row of a file. Blank lines are none. */
export interface CsvRow {
  /** On which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvFile {
  readonly rows: readonly CsvRow[]
  /** Rows that could not be read; those after them are. */
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

const DELIMITERS = [',', ';', '\t', '|']
/** Rows with quotation marks in the wrong place, each of which may cost a look at the rest of the file. */
const MOST_BAD_ROWS = 1_000
/** Bytes that are read in a row. */
const PIECE = 16_384
/** A cell that a spreadsheet would run, also behind the marks that make it text again. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Reads CSV as the plugins and the spreadsheets of this world write it. Visitors get their turn in between. */
export async function readCsv(text: string): Promise<CsvFile> {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const delimiter = delimiterOf(source)
  const rows: CsvRow[] = []
  const errors: { line: number; message: string }[] = []
  // Octets, of which a part is taken without a copy: each bad row begins a new one.
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
    // The row may be one line with marks that are text; otherwise it is given up, and not those after it.
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

/** @returns after how many lines the row begins that cannot be read, `undefined` if all can */
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

/** The separator that the first line has most of, outside of quotation marks. */
function delimiterOf(text: string): string {
  const first =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Writes CSV (RFC 4180) in which no cell is a formula to a spreadsheet. */
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
