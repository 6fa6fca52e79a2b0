/** A cell by column name, compared without case, spaces and punctuation. */
export type Row = (column: string) => string

/** CSV formats by plugin. */
export const CSV_FORMATS = ['redirection', 'rankmath', 'yoast', 'seopress', 'aioseo', 'slimseo', 'generic'] as const
export type CsvFormat = (typeof CSV_FORMATS)[number]

export interface RowReader {
  /** Columns in order, for files without a header; the first ones identify the format of files with one. */
  readonly columns: readonly string[]
  /** Minimum number of matching header columns. */
  readonly telling: number
  /** @returns the redirects of the row, not validated. @throws Error with a message for users */
  read(row: Row): object[]
}

/** Target that Redirection writes for conditional redirects: by role, browser, language. */
export const UNKNOWN = '/unknown'

/** Column names in files that were not written by a plugin. */
const ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    source: [
      'from',
      'old',
      'oldurl',
      'redirectfrom',
      'sourceurl',
      'url',
      'origin',
      'originalurl',
      'requesturl',
      'oldpath',
    ],
    target: [
      'to',
      'new',
      'newurl',
      'redirectto',
      'targeturl',
      'destination',
      'destinationurl',
      'redirecturl',
      'newpath',
    ],
    code: ['type', 'status', 'statuscode', 'httpcode', 'redirecttype'],
    regex: ['isregex', 'regularexpression'],
    title: ['note', 'notes', 'comment'],
    enabled: ['active', 'isenabled'],
  }).flatMap(([column, names]) => names.map((name) => [name, column])),
)

export const ROW_READERS: Readonly<Record<CsvFormat, RowReader>> = {
  redirection: {
    columns: [
      'source',
      'target',
      'regex',
      'code',
      'type',
      'hits',
      'title',
      'status',
      'match',
      'query',
      'casesensitive',
    ],
    telling: 3,
    read(row) {
      const kind = row('type')
      if (kind !== '' && !/^(?:url|error|\d{3})$/.test(kind)) throw new Error(`"${kind}" is not a redirect.`)
      // Redirection does not export the targets of conditional redirects.
      if (row('target') === UNKNOWN && row('match') === '')
        throw new Error('Redirects that depend on the visitor, such as on login status or referrer, are not supported.')
      const source = row('source')
      const isRegex = row('regex') === '' ? /[()[\]$^*]/.test(source) : isOn(row('regex'))
      const match = row('match') || (isRegex ? 'regex' : 'exact')
      return [
        {
          ...(match === 'regex' ? { ...place('', row('target'), match), source } : place(source, row('target'), match)),
          status: code(row('code')),
          query: row('query') || impliedQuery(source, match),
          ...(row('casesensitive') !== '' && { caseSensitive: isOn(row('casesensitive')) }),
          hits: count(row('hits')),
          note: row('title'),
          enabled: row('status') !== 'disabled',
        },
      ]
    },
  },

  rankmath: {
    columns: ['id', 'source', 'matching', 'destination', 'type', 'category', 'status', 'ignore'],
    telling: 4,
    read(row) {
      if (row('destination') === 'DELETE') throw new Error('Deleting redirects is not supported.')
      return rankMathSources(row('source'), row('matching')).map(({ pattern, comparison, ignore }) => ({
        ...rankMathPlace(pattern, comparison, row('destination')),
        status: code(row('type')),
        caseSensitive: (ignore ?? row('ignore')) !== 'case',
        enabled: row('status') === '' || row('status') === 'active',
      }))
    },
  },

  yoast: {
    columns: ['origin', 'target', 'type', 'format'],
    telling: 3,
    read(row) {
      const match = row('format').toLowerCase() === 'regex' ? 'regex' : 'exact'
      const rule = place(row('origin'), row('target'), match)
      return [{ ...rule, status: code(row('type')), query: impliedQuery(rule.source, match) }]
    },
  },

  seopress: {
    columns: [
      'title',
      'redirectionurl',
      'redirectiontype',
      'enabled',
      'parameter',
      '404count',
      'categories',
      'regexenabled',
    ],
    telling: 3,
    read: (row) => [
      {
        ...place(row('title'), row('redirectionurl'), isOn(row('regexenabled')) ? 'regex' : 'exact'),
        status: code(row('redirectiontype')),
        query: { exact_match: 'exact', with_ignored_param: 'pass' }[row('parameter')] ?? 'ignore',
        hits: count(row('404count')),
        enabled: row('enabled') === '' || isOn(row('enabled')),
      },
    ],
  },

  aioseo: {
    columns: ['sourceurl', 'targeturl', 'type', 'queryparam', 'regex', 'enabled', 'ignoreslash', 'ignorecase'],
    telling: 4,
    read: (row) => [
      {
        ...place(row('sourceurl'), row('targeturl'), isOn(row('regex')) ? 'regex' : 'exact'),
        status: code(row('type')),
        query: { exact: 'exact', pass: 'pass', utm: 'pass' }[row('queryparam')] ?? 'ignore',
        caseSensitive: row('ignorecase') !== '' && !isOn(row('ignorecase')),
        enabled: row('enabled') === '' || isOn(row('enabled')),
      },
    ],
  },

  slimseo: {
    columns: ['type', 'condition', 'from', 'to', 'note', 'enable', 'ignoreparameters'],
    telling: 4,
    read: (row) => [
      {
        ...slimPlace(row('condition'), row('from'), row('to')),
        status: code(row('type')),
        query: row('ignoreparameters') === '' || isOn(row('ignoreparameters')) ? 'ignore' : 'exact',
        note: row('note'),
        enabled: row('enable') === '' || isOn(row('enable')),
      },
    ],
  },

  generic: {
    columns: ['source', 'target', 'code', 'regex', 'title'],
    telling: 2,
    read(row) {
      const source = row('source')
      // The header of Yoast is in the language of its site; its last column is `plain` or `regex`.
      const isRegex = isOn(row('regex')) || row('regex') === 'regex' || (row('regex') === '' && source.startsWith('^'))
      const match = isRegex ? 'regex' : source.includes('*') ? 'wildcard' : 'exact'
      return [
        {
          ...place(source, row('target'), match),
          status: code(row('code')),
          query: impliedQuery(source, match),
          note: row('title'),
          enabled: row('enabled') === '' || isOn(row('enabled')),
        },
      ]
    },
  },
}

/** The column in this service. */
export function columnName(written: string, format: CsvFormat): string {
  const name = written.toLowerCase().replace(/[\s_\-.]/g, '')
  return format === 'generic' ? (ALIASES[name] ?? name) : name
}

/** Others omit leading slashes, and their expressions match paths without them. */
function place(source: string, target: string, match: string): { source: string; target: string; match: string } {
  return {
    match,
    source: match === 'regex' ? rooted(source) : withSlash(source),
    // Yoast exports the home page like this.
    target:
      target === '//' ? '/' : target === '' || /^(?:[$/]|[a-z][a-z\d+.-]*:)/i.test(target) ? target : `/${target}`,
  }
}

/** Converts an expression for paths without a leading slash. Ambiguous ones match either. */
export function rooted(expression: string): string {
  return expression.replace(/^\^(?=[\w%])/, '^/').replace(/^\^(?=[([\\])/, '^/?')
}

function withSlash(source: string): string {
  return source === '' || /^(?:\/|[a-z][a-z\d+.-]*:\/\/)/i.test(source) ? source : `/${source}`
}

/** An expression with a literal question mark matches the query string. */
export function impliedQuery(source: string, match: string): string {
  return match === 'regex' && source.includes('\\?') ? 'exact' : 'ignore'
}

function rankMathSources(
  source: string,
  matching: string,
): { pattern: string; comparison: string; ignore?: string | undefined }[] {
  if (!source.startsWith('[{')) return [{ pattern: source, comparison: matching || 'exact' }]
  let list: unknown
  try {
    list = JSON.parse(source)
  } catch {
    throw new Error('The sources are not valid JSON.')
  }
  if (!Array.isArray(list)) return []
  return list.map((one: Readonly<Record<string, unknown>> | null) => ({
    pattern: String(one?.pattern ?? ''),
    comparison: String(one?.comparison ?? 'exact'),
    ignore: one?.ignore === undefined ? undefined : String(one.ignore),
  }))
}

function rankMathPlace(pattern: string, comparison: string, target: string): object {
  const bare = pattern.replace(/^\//, '')
  const wildcards: Readonly<Record<string, string>> = { contains: `/*${bare}*`, start: `/${bare}*`, end: `/*${bare}` }
  const wildcard = Object.hasOwn(wildcards, comparison) ? wildcards[comparison] : undefined
  if (wildcard !== undefined) return place(wildcard, target, 'wildcard')
  if (comparison === 'exact' || comparison === 'regex') return place(pattern, target, comparison)
  throw new Error(`The comparison "${comparison}" is not supported.`)
}

function slimPlace(condition: string, source: string, target: string): object {
  const kind = condition.toLowerCase().replace(/[\s-]/g, '')
  if (kind === 'regex') return place(source, target, 'regex')
  return rankMathPlace(source, { contain: 'contains', startwith: 'start', endwith: 'end' }[kind] ?? 'exact', target)
}

function isOn(cell: string): boolean {
  return /^(?:1|yes|true|on|active|enabled)$/i.test(cell.trim())
}

/** A number, or the original value, which validation then rejects. */
function code(cell: string): number | string | undefined {
  if (cell === '') return undefined
  return /^\d+$/.test(cell) ? Number(cell) : cell
}

function count(cell: string): number | undefined {
  return /^\d{1,15}$/.test(cell) ? Number(cell) : undefined
}
