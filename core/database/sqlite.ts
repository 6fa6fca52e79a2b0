import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { isCode } from '../errors.ts'
import { createSemaphore } from '../threads/semaphore.ts'
import { BUSY, isLocked } from './errors.ts'
import { isRepeatable } from './repeatable-writes.ts'
import { createMovedCheck } from './site-file.ts'
import { runStatement } from './statement-owner.ts'

/** Maximum milliseconds that a write waits for the lock of another process. */
const BUSY_TIMEOUT = 5000
/** The part of that time during which SQLite itself waits, which blocks the event loop. */
const BLOCKING = 20
/** Milliseconds between retries after that. */
const TRY_AGAIN = 25

/** When SQLite flushes to disk (`pragma synchronous`): at each commit, at WAL checkpoints only, or never. */
type Synchronous = 'full' | 'normal' | 'off'

/**
 * A Kysely dialect for `node:sqlite` in WAL mode with two connections: while a transaction is open on the main one, other code reads the last
 * committed state through the other one, and its writes wait. Only the main connection writes, so its page cache remains valid. Inside a
 * transaction use its own handle; a write through the outer one would deadlock.
 *
 * @param options.filling - For filling a new file: foreign keys are not enforced, and the file is flushed only when it is closed.
 */
export function createSqliteDialect(file: string, { filling = false }: { filling?: boolean } = {}): Dialect {
  return {
    createAdapter: () => new WalAdapter(),
    createDriver: () => new SqliteDriver(file, filling),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new LiteralLimitCompiler(),
  }
}

/** Kysely's own adapter supports neither the second connection nor `create table` in transactions. */
class WalAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Its limits are not parameters: SQLite prepares a statement with such a parameter again each time, because its plan depends on the value. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) this.append(`limit ${limit.value}`)
    else super.visitLimit(node)
  }
}

export class SqliteDriver implements Driver {
  readonly #file: string
  readonly #filling: boolean
  #main: Handle | undefined
  #reader: Handle | undefined
  #writing: Turn | undefined
  readonly version = (): number => this.#main?.version() ?? Number.NaN

  constructor(file: string, filling: boolean) {
    this.#file = file
    this.#filling = filling
  }

  async init(): Promise<void> {
    makePrivate(this.#file)
    this.#main = new Handle(this.#file, this.#filling)
    this.#reader = new Handle(this.#file, this.#filling)
    this.#writing = createTurns(createMovedCheck(this.#file))
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.#main || !this.#reader || !this.#writing) throw new Error('The database is closed.')
    return new SqliteConnection(this.#main, this.#reader, this.#writing)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('commit')
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#main?.close()
    this.#reader?.close()
    this.#main = this.#reader = undefined
  }
}

/**
 * Makes the file readable by its owner only, and creates it if it does not exist; the WAL files that SQLite creates get the same mode. An
 * existing file is not opened, because closing it would drop the locks of other connections of this process (POSIX `fcntl`).
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    // A copied or unpacked site may have other permissions.
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if (mode & 0o077) chmodSync(path, 0o600)
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #main: Handle
  readonly #reader: Handle
  readonly #writing: Turn
  #leave: (() => void) | undefined

  constructor(main: Handle, reader: Handle, writing: Turn) {
    this.#main = main
    this.#reader = reader
    this.#writing = writing
  }

  async begin(): Promise<void> {
    this.#leave = await this.#writing()
    try {
      this.#main.flushAt(isRepeatable() ? 'normal' : 'full')
      await whenFree(() => this.#main.database.exec('begin immediate'))
    } catch (error) {
      this.#leave()
      this.#leave = undefined
      throw error
    }
  }

  /** Rolls back a transaction that cannot be committed before the next one begins; Kysely would do so too late. */
  end(how: 'commit' | 'rollback'): void {
    if (this.#leave === undefined) return
    const { database } = this.#main
    try {
      database.exec(how)
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('rollback')
      throw error
    } finally {
      this.#leave()
      this.#leave = undefined
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#leave) return this.#main.run(query)
    const read = await whenFree(() => {
      // This version changes with writes of other connections, so the main one would not report those of this process.
      const isOnReader = this.#main.database.isTransaction || query.sql === 'pragma data_version'
      const handle = isOnReader ? this.#reader : this.#main
      return handle.reads(query.sql) ? handle.run<Row>(query) : undefined
    })
    if (read) return read
    const leave = await this.#writing()
    try {
      this.#main.flushAt(isRepeatable() ? 'normal' : 'full')
      return await whenFree(() => this.#main.run(query))
    } finally {
      leave()
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    const handle = this.#leave ? this.#main : this.#reader
    for (const row of handle.iterate<Row>(query)) yield { rows: [row] }
  }
}

interface Prepared {
  readonly statement: StatementSync
  /** Whether it returns rows. */
  readonly returnsRows: boolean
  readonly writes: boolean
}

/** One SQLite connection with its prepared statements. */
class Handle {
  readonly database: DatabaseSync
  readonly #statements = new LRUCache<string, Prepared>({ max: 500 })
  #synchronous: Synchronous

  constructor(file: string, filling: boolean) {
    this.#synchronous = filling ? 'off' : 'full'
    this.database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
    this.database.exec(`pragma journal_mode = wal; pragma foreign_keys = ${filling ? 'off' : 'on'}`)
    this.database.exec(`pragma synchronous = ${this.#synchronous}; pragma busy_timeout = ${BLOCKING}`)
  }

  /** Sets the mode for the next transaction; no effect on a file that is being filled. */
  flushAt(synchronous: 'full' | 'normal'): void {
    if (this.#synchronous === 'off' || this.#synchronous === synchronous) return
    this.database.exec(`pragma synchronous = ${synchronous}`)
    this.#synchronous = synchronous
  }

  /** A number that changes when another connection has written; `NaN`, which equals nothing, if it cannot be read. */
  version(): number {
    try {
      return Number(this.#prepare('pragma data_version').statement.get()?.data_version)
    } catch {
      return Number.NaN
    }
  }

  reads(sql: string): boolean {
    const entry = this.#prepare(sql)
    return entry.returnsRows && !entry.writes
  }

  run<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(query.sql)
    const parameters = query.parameters as SQLInputValue[]
    if (returnsRows) return { rows: runStatement(() => statement.all(...parameters)) as Row[] }
    const { changes, lastInsertRowid } = runStatement(() => statement.run(...parameters))
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  iterate<Row>(query: CompiledQuery): Iterable<Row> {
    // Not a cached statement, which the next execution of the same SQL would reset.
    return this.database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[])) as Iterable<Row>
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }

  #prepare(sql: string): Prepared {
    let entry = this.#statements.get(sql)
    if (!entry) {
      const statement = this.database.prepare(sql)
      const writes = /^\s*(?:insert|update|delete|with[\s\S]*\b(?:insert|update|delete)\b)/i.test(sql)
      entry = { statement, returnsRows: statement.columns().length > 0, writes }
      this.#statements.set(sql, entry)
    }
    return entry
  }
}

/**
 * Runs a statement outside of a transaction, with retries while another process holds the lock. The event loop runs between retries;
 * waiting inside SQLite would block it.
 */
async function whenFree<Result>(run: () => Result): Promise<Result> {
  for (const start = performance.now(); ; await wait(TRY_AGAIN)) {
    try {
      return run()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (performance.now() - start > BUSY_TIMEOUT) throw explainLocked(error)
    }
  }
}

function explainLocked(cause: unknown): Error {
  const message = `database is locked: another process has been writing to it for more than ${BUSY_TIMEOUT / 1000} s`
  return Object.assign(new Error(message, { cause }), { errcode: BUSY })
}

/** Resolves when nothing else in this process writes, to a function that lets others write. */
type Turn = () => Promise<() => void>

/** @param check - Throws if the file must not be written to. */
function createTurns(check: () => void): Turn {
  const inTurn = createSemaphore(1)
  return () =>
    new Promise((resolve, reject) => {
      inTurn(async () => {
        check()
        await new Promise<void>(resolve)
      }).catch(reject)
    })
}
