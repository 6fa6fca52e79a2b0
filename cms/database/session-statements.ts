import type { DatabaseKind } from '../../core/database/new-tables.ts'

/** The most frequent statements, none of which change their connection. */
const USUAL = /^\s*(?:select|insert|update|delete|with)\b/i
/** Start of a literal or comment, in which a semicolon has no meaning, or the end of a statement. */
const MARK = /['"$;]|--|\/\*/g
const DOLLAR_TAG = /\$(?:[a-z_]\w*)?\$/iy

/** Statements that begin, end or divide transactions. */
const TRANSACTION = /^(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i
const SESSION: Readonly<Record<DatabaseKind, RegExp>> = {
  sqlite: /^(?:attach|detach)\b/i,
  postgres: /^(?:set(?!\s+(?:local|constraints|transaction)\b)|reset|discard)\b/i,
}
const PRAGMA = /^pragma\b/i
/** Pragmas with an argument that only read (sqlite.org/pragma.html), and one that ends with its transaction. */
const READING_PRAGMA =
  /^pragma\s+(?:\w+\s*\.\s*)?(?:(?:table_(?:list|x?info)|index_(?:list|x?info)|foreign_key_(?:list|check)|integrity_check|quick_check)\s*\(|defer_foreign_keys\b)/i

/**
 * Whether SQL begins or ends a transaction, or changes the connection for later users. In SQLite only the first statement counts, because
 * others are not executed. Takes linear time.
 * @returns the first words of the statement, and whether it concerns a transaction; `undefined` if it does neither
 */
export function findSessionChange(
  sql: string,
  kind: DatabaseKind,
): { readonly words: string; readonly isTransaction: boolean } | undefined {
  const isSqlite = kind === 'sqlite'
  if (USUAL.test(sql) && (isSqlite || !sql.includes(';'))) return undefined
  const all = statementsOf(sql)
  for (const statement of isSqlite ? all.slice(0, 1) : all) {
    const isTransaction = TRANSACTION.test(statement)
    if (isTransaction || SESSION[kind].test(statement) || (isSqlite && setsPragma(statement))) {
      return { words: statement.split(/[^\w.]+/, 2).join(' '), isTransaction }
    }
  }
  return undefined
}

function setsPragma(statement: string): boolean {
  return PRAGMA.test(statement) && /[=(]/.test(statement) && !READING_PRAGMA.test(statement)
}

/** The statements of a text without their comments, texts and quoted names. */
function statementsOf(sql: string): string[] {
  const found: string[] = []
  let statement = ''
  let at = 0
  for (;;) {
    MARK.lastIndex = at
    const mark = MARK.exec(sql)
    statement += sql.slice(at, mark?.index)
    if (mark === null || mark[0] === ';') {
      if (statement.trim() !== '') found.push(statement.trim())
      statement = ''
    } else statement += ' '
    if (mark === null) return found
    at = endOf(mark[0], mark.index, sql)
  }
}

/** End of the literal or comment that begins with a mark. */
function endOf(mark: string, at: number, sql: string): number {
  if (mark === ';') return at + 1
  const closing = closingOf(mark, at, sql)
  // A parameter: `$1`.
  if (closing === undefined) return at + 1
  const end = sql.indexOf(closing, at + (mark === '$' ? closing.length : mark.length))
  return end === -1 ? sql.length : end + closing.length
}

function closingOf(mark: string, at: number, sql: string): string | undefined {
  if (mark === '--') return '\n'
  if (mark === '/*') return '*/'
  if (mark !== '$') return mark
  DOLLAR_TAG.lastIndex = at
  return DOLLAR_TAG.exec(sql)?.[0]
}
