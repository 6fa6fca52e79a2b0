/** The table of targets in `docs/performance.md`. */

/** One target of a benchmark. */
export interface Result {
  /** What was measured; empty if the benchmark failed. */
  readonly what: string
  readonly measured: string
  /** As in `at most 2.00`. */
  readonly target: string
  readonly verdict: string
}

/** Where and when a benchmark ran. */
export interface Circumstances {
  readonly machine: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly commit: string
}

/** The head of the table, with any alignment of its columns. */
const HEAD = /^\| Benchmark +\| What +\|.*\n\|[ :|-]+\|\n/m
const ROW = /^\| (?<benchmark>[a-z-]+) +\|.*\|$/gm

/** Replaces the results of one benchmark in the text of the page, and preserves those of others. @throws Error if the page has no table */
export function withResults(
  page: string,
  benchmark: string,
  results: readonly Result[],
  { machine, date, commit }: Circumstances,
): string {
  const head = HEAD.exec(page)
  if (!head) throw new Error('The page has no table of targets.')
  const from = head.index + head[0].length
  const length = page.slice(from).search(/^(?!\|)/m)
  const end = length < 0 ? page.length : from + length
  const others = [...page.slice(from, end).matchAll(ROW)].filter(({ groups }) => groups?.benchmark !== benchmark)
  const own = results.map(
    ({ what, measured, target, verdict }) =>
      `| ${benchmark} | ${what} | ${measured} | ${target} | ${verdict} | ${date}, commit ${commit}, ${machine} |`,
  )
  const rows = [...others.map(([row]) => row), ...own].sort((one, other) => nameIn(one).localeCompare(nameIn(other)))
  return `${page.slice(0, from)}${rows.map((row) => `${row}\n`).join('')}${page.slice(end)}`
}

function nameIn(row: string): string {
  return row.split(' ')[1] ?? ''
}
