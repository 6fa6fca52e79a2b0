import { sql } from 'kysely'
import type { StagingDatabase } from 'pentad'

type Kind = StagingDatabase['kind']

interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'symbol'
  /** For a quoted identifier its name, for a word its lowercase form. */
  readonly value: string
}

/** An unterminated comment extends to the end. */
const SPACE = /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const TEXT = /(?:\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*')/y
const QUOTED = /"((?:[^"]|"")+)"/y
/** Additional quotes in SQLite; in PostgreSQL brackets belong to arrays. */
const QUOTED_SQLITE = /`((?:[^`]|``)+)`|\[([^\]]+)\]/y
/** Rejected characters: the end of a statement, dollar quotes of PostgreSQL, and unterminated quotes. */
const REJECTED = { sqlite: [';', "'", '"', '`', '['], postgres: [';', "'", '"', '$'] }
const WORD = /[\p{L}\p{N}_]+/uy

/** Allowed table options after the column list. */
const TABLE_ENDINGS: readonly string[] = [
  '',
  'without rowid',
  'strict',
  'strict , without rowid',
  'without rowid , strict',
]

/** Volatile functions without side effects. */
const HARMLESS = ['nextval', 'random', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'clock_timestamp', 'timeofday']

/**
 * Whether a statement from an archive only creates this table from a column list: no `CREATE TABLE … AS`, which could
 * run forever or read other tables.
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

/** Whether a statement from an archive only creates an index on this table. */
export function makesIndex(statement: string, table: string, kind: Kind): boolean {
  const [create, ...words] = tokensOf(statement, kind) ?? []
  if (words[0]?.value === 'unique') words.shift()
  const [index, name, on, ...rest] = words
  if (rest[0]?.kind === 'word' && rest[0].value === 'only') rest.shift()
  const [of, next] = rest
  if (create?.value !== 'create' || index?.value !== 'index' || on?.value !== 'on') return false
  return name !== undefined && name.kind !== 'symbol' && names(of, table) && !isSymbol(next, '.')
}

/** Whether a rule from an archive is exactly one foreign key for `alter table … add`, without a schema name. */
export function isForeignKey(rule: string, kind: Kind): boolean {
  const [constraint, name, foreign, key, ...rest] = tokensOf(rule, kind) ?? []
  if (constraint?.value !== 'constraint' || name?.kind !== 'quoted') return false
  if (foreign?.value !== 'foreign' || key?.value !== 'key') return false
  let depth = 0
  return rest.every((token) => {
    if (isSymbol(token, '(')) depth += 1
    if (isSymbol(token, ')')) depth -= 1
    // A comma outside parentheses would start another change of the table; a dot would follow a schema name.
    return token.kind !== 'symbol' || ['(', ')'].includes(token.value) || (token.value === ',' && depth > 0)
  })
}

/**
 * A function called by a statement that could have side effects, such as reading or writing files of the server. It
 * would run while rows are loaded, with the privileges of the site's database user. SQLite has no such functions.
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

/** Tokenizes a statement; `undefined` for several statements or invalid input. */
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
      if (REJECTED[kind].includes(value)) return undefined
      tokens.push({ kind: 'symbol', value })
    }
  }
  return tokens
}

function nameIn([found, plain, bracketed]: RegExpExecArray): string {
  const mark = found.charAt(0)
  return bracketed ?? (plain ?? '').replaceAll(mark + mark, mark)
}
