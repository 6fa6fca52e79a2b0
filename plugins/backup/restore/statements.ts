import { sql } from 'kysely'
import type { StagingDatabase } from 'pentad'

type Kind = StagingDatabase['kind']

interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'symbol'
  /** Of a quoted name what it names, of a word its small letters. */
  readonly value: string
}

/** A comment without an end goes to the end. */
const SPACE = /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const TEXT = /(?:\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*')/y
const QUOTED = /"((?:[^"]|"")+)"/y
/** SQLite takes these too; in PostgreSQL brackets belong to arrays. */
const QUOTED_SQLITE = /`((?:[^`]|``)+)`|\[([^\]]+)\]/y
/** The end of a statement, quotes of PostgreSQL that nothing of ours writes, and quotes that do not end. */
const REFUSED = { sqlite: [';', "'", '"', '`', '['], postgres: [';', "'", '"', '$'] }
const WORD = /[\p{L}\p{N}_]+/uy

/** What behind the columns of a table says only how its rows lie. */
const TABLE_ENDINGS: readonly string[] = [
  '',
  'without rowid',
  'strict',
  'strict , without rowid',
  'without rowid , strict',
]

/** Functions that answer differently each time and do nothing else. */
const HARMLESS = ['nextval', 'random', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'clock_timestamp', 'timeofday']

/**
 * Whether a statement of an archive makes this table by naming its columns and does nothing else: it fills it with no
 * query, which could go on for ever, and has to do with no table of the site.
 */
export function makesTable(statement: string, table: string, kind: Kind): boolean {
  const tokens = tokensOf(statement, kind)
  const [create, word, name, ...rest] = tokens ?? []
  if (create?.value !== 'create' || word?.value !== 'table' || !names(name, table)) return false
  let depth = 0
  const end = rest.findIndex((token) => {
    if (isSymbol(token, '(')) depth += 1
    if (isSymbol(token, ')')) depth -= 1
    return depth <= 0
  })
  const ending = rest.slice(end + 1).map(({ value }) => value)
  return end > 0 && (kind === 'sqlite' ? TABLE_ENDINGS.includes(ending.join(' ')) : ending.length === 0)
}

/** Whether a statement of an archive makes an index of this table and does nothing else. */
export function makesIndex(statement: string, table: string, kind: Kind): boolean {
  const [create, ...words] = tokensOf(statement, kind) ?? []
  if (words[0]?.value === 'unique') words.shift()
  const [index, name, on, ...rest] = words
  if (rest[0]?.kind === 'word' && rest[0].value === 'only') rest.shift()
  const [of, next] = rest
  if (create?.value !== 'create' || index?.value !== 'index' || on?.value !== 'on') return false
  return name !== undefined && name.kind !== 'symbol' && names(of, table) && !isSymbol(next, '.')
}

/** Whether what an archive says is one foreign key, for `alter table … add`, to a table that comes along with it. */
export function isForeignKey(rule: string, kind: Kind): boolean {
  const [constraint, name, foreign, key, ...rest] = tokensOf(rule, kind) ?? []
  if (constraint?.value !== 'constraint' || name?.kind !== 'quoted') return false
  if (foreign?.value !== 'foreign' || key?.value !== 'key') return false
  let depth = 0
  return rest.every((token) => {
    if (isSymbol(token, '(')) depth += 1
    if (isSymbol(token, ')')) depth -= 1
    // A comma outside of brackets begins another change of the table, a point stands behind the name of a schema.
    return token.kind !== 'symbol' || ['(', ')'].includes(token.value) || (token.value === ',' && depth > 0)
  })
}

/**
 * A function that a statement calls and that could do more than answer: read files of the server, write them, wait. They
 * would run while rows are loaded, with the rights of the site's account. SQLite has none.
 */
export async function unsafeFunction({ db, kind }: StagingDatabase, statement: string): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined
  const tokens = tokensOf(statement, kind) ?? []
  const called = tokens.flatMap((token, index) =>
    (token.kind === 'word' || token.kind === 'quoted') && isSymbol(tokens[index + 1], '(') ? token.value : [],
  )
  const { rows } = await sql<{ name: string }>`select proname as name from pg_proc
    where provolatile = 'v' and proname = any(${called}::text[]) and proname <> all(${HARMLESS}::text[])
    and prokind = 'f' limit 1`.execute(db)
  return rows[0]?.name
}

function names(token: Token | undefined, table: string): boolean {
  if (token === undefined || token.kind === 'symbol') return false
  return token.value === table || token.value.toLowerCase() === table.toLowerCase()
}

function isSymbol(token: Token | undefined, value: string): boolean {
  return token?.kind === 'symbol' && token.value === value
}

/** `undefined` for more than one statement, and for what is none. */
function tokensOf(statement: string, kind: Kind): Token[] | undefined {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(statement)
    at += found?.[0].length ?? 0
    return found
  }
  while (at < statement.length) {
    if (take(SPACE)) continue
    const text = take(TEXT)
    const quoted = text ? null : (take(QUOTED) ?? (kind === 'sqlite' ? take(QUOTED_SQLITE) : null))
    const word = text || quoted ? null : take(WORD)
    if (text) tokens.push({ kind: 'text', value: text[0].replace(/^e?'|'$/gi, '').replaceAll("''", "'") })
    else if (quoted) tokens.push({ kind: 'quoted', value: nameIn(quoted) })
    else if (word) tokens.push({ kind: 'word', value: word[0].toLowerCase() })
    else {
      const value = statement.charAt(at++)
      if (REFUSED[kind].includes(value)) return undefined
      tokens.push({ kind: 'symbol', value })
    }
  }
  return tokens
}

function nameIn([found, plain, bracketed]: RegExpExecArray): string {
  const mark = found.charAt(0)
  return bracketed ?? (plain ?? '').replaceAll(mark + mark, mark)
}
