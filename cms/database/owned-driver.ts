import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { DatabaseKind } from '../../core/database/new-tables.ts'
import { queryAs, type RunAsOwner } from '../../core/database/statement-owner.ts'
import { toError, withStackOf } from '../../core/errors.ts'
import { findSessionChange } from './session-statements.ts'

/** A user of the database with its own handle. */
export interface DatabaseOwner {
  readonly id: string
  /** Fires when it is unloaded: its transactions are rolled back then. */
  readonly signal: AbortSignal
  /** Takes that a transaction of its took too long. */
  readonly onError: (error: Error, where: string) => void
  /** The call that the running code belongs to, if a request waits for it: its transactions are rolled back when the call is abandoned. */
  readonly call: () => { readonly isAbandoned: boolean } | undefined
  /** Calls work as code of it. */
  readonly run: RunAsOwner
}

/** Milliseconds between two looks. */
const LOOK = 100
/** Maximum milliseconds for which code may hold a connection without using it. */
const IDLE = 5_000
/** Milliseconds that a transaction may take. */
const LONGEST = 60_000
const WHERE = 'database transaction'
/** A running statement cannot be rolled back, so PostgreSQL enforces the limit. */
const STATEMENT_TIMEOUT = CompiledQuery.raw(`set local statement_timeout = ${LONGEST}`)

/**
 * The site's database driver for one of several owners. Writes of other code wait for an open transaction, so a transaction is rolled back
 * when it takes too long, when its caller no longer waits for it, and when the owner is unloaded. Statements that would change the
 * connection for other code are rejected.
 * @param wrote - Called when the owner may have changed rows.
 */
export function createOwnedDriver(driver: Driver, kind: DatabaseKind, owner: DatabaseOwner, wrote: () => void): Driver {
  const held = new Set<OwnedConnection>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    for (const connection of held) connection.look()
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function hold(connection: OwnedConnection): void {
    held.add(connection)
    timer ??= setInterval(look, LOOK).unref()
  }

  owner.signal.addEventListener('abort', () => {
    for (const connection of held) connection.abandon(unloaded(owner))
  })

  // Kysely types the result of `acquireConnection` as a plain connection.
  const ownedBy = (connection: DatabaseConnection): OwnedConnection => {
    if (connection instanceof OwnedConnection) return connection
    throw new TypeError('The connection belongs to another driver.')
  }

  return {
    // The site's own is ready, and closes the database.
    init: async () => {},
    destroy: async () => {},
    async acquireConnection(options) {
      const inner = await driver.acquireConnection(options)
      const connection = new OwnedConnection(inner, driver, kind, owner, {
        wrote,
        forget: () => held.delete(connection),
      })
      // Outside of transactions, SQLite has one connection for all owners.
      if (kind === 'postgres') hold(connection)
      return connection
    },
    beginTransaction(connection, settings) {
      const owned = ownedBy(connection)
      hold(owned)
      return owned.begin(settings)
    },
    commitTransaction: (connection) => ownedBy(connection).commit(),
    rollbackTransaction: (connection) => ownedBy(connection).rollback(),
    releaseConnection: (connection) => ownedBy(connection).release(),
    savepoint: (connection, ...rest) => ownedBy(connection).divide('savepoint', ...rest),
    rollbackToSavepoint: (connection, ...rest) => ownedBy(connection).divide('rollbackToSavepoint', ...rest),
    releaseSavepoint: (connection, ...rest) => ownedBy(connection).divide('releaseSavepoint', ...rest),
  }
}

/** Whether a statement surely changes nothing. */
const isRead = ({ sql }: CompiledQuery): boolean => /^\s*select\b/i.test(sql)

function unloaded({ id }: DatabaseOwner): Error {
  return new Error(`Extension ${id} was unloaded.`)
}

class OwnedConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #driver: Driver
  readonly #kind: DatabaseKind
  readonly #owner: DatabaseOwner
  readonly #wrote: () => void
  readonly #forget: () => void
  /** Created where the transaction began: the author's file and line. */
  #begun: Error | undefined
  #call: ReturnType<DatabaseOwner['call']>
  /** Statements in flight. */
  #running = 0
  // Looks, not moments: of a time in which the event loop stood still one counts.
  #idle = 0
  #looks = 0
  /** Why nothing more can be done with it. */
  #over: Error | undefined
  #undone = false
  #released = false

  constructor(
    inner: DatabaseConnection,
    driver: Driver,
    kind: DatabaseKind,
    owner: DatabaseOwner,
    { wrote, forget }: { wrote: () => void; forget: () => void },
  ) {
    this.#inner = inner
    this.#driver = driver
    this.#kind = kind
    this.#owner = owner
    this.#wrote = wrote
    this.#forget = forget
  }

  executeQuery<Row>(query: CompiledQuery, options?: { signal?: AbortSignal }): Promise<QueryResult<Row>> {
    const refusal = this.#refusal(query)
    if (refusal !== undefined) return Promise.reject(refusal)
    const execute = () => queryAs(this.#owner.run, () => this.#inner.executeQuery<Row>(query, options))
    const result = this.#begun === undefined && this.#kind === 'sqlite' ? execute() : this.#during(execute)
    return isRead(query) ? result : result.finally(this.#wrote)
  }

  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
    options?: { signal?: AbortSignal },
  ): AsyncIterableIterator<QueryResult<Row>> {
    const refusal = this.#refusal(query)
    if (refusal !== undefined) throw refusal
    for await (const rows of this.#inner.streamQuery<Row>(query, chunkSize, options)) {
      this.#idle = 0
      yield rows
      if (this.#over !== undefined) throw this.#over
    }
    if (!isRead(query)) this.#wrote()
  }

  async begin(settings: TransactionSettings): Promise<void> {
    const begun = new Error('Begun here.')
    this.#call = this.#owner.call()
    // Waiting for transactions of other code does not count toward its time limit.
    await this.#during(() => this.#driver.beginTransaction(this.#inner, settings))
    this.#begun = begun
    if (this.#owner.signal.aborted) this.#over ??= unloaded(this.#owner)
    try {
      if (this.#over !== undefined) throw this.#over
      if (this.#kind === 'postgres') await this.#during(() => this.#inner.executeQuery(STATEMENT_TIMEOUT))
    } catch (error) {
      this.#over ??= toError(error)
      this.#undo()
      throw error
    }
  }

  async commit(): Promise<void> {
    if (this.#over !== undefined) throw this.#over
    await this.#during(() => this.#driver.commitTransaction(this.#inner)).finally(this.#wrote)
    this.#begun = undefined
  }

  async rollback(): Promise<void> {
    // Given up, it is rolled back already.
    if (this.#over !== undefined) return
    this.#begun = undefined
    await this.#during(() => this.#driver.rollbackTransaction(this.#inner))
  }

  async divide(
    how: 'savepoint' | 'rollbackToSavepoint' | 'releaseSavepoint',
    name: string,
    compileQuery: QueryCompiler['compileQuery'],
  ): Promise<void> {
    if (this.#over !== undefined) throw this.#over
    const divide = this.#driver[how]
    if (divide === undefined) throw new Error('Savepoints are not supported by this database.')
    await this.#during(() => divide.call(this.#driver, this.#inner, name, compileQuery))
  }

  release(): Promise<void> {
    this.#forget()
    if (this.#released) return Promise.resolve()
    this.#released = true
    return this.#driver.releaseConnection(this.#inner)
  }

  /** Rolls back a transaction that is held for too long. */
  look(): void {
    if (this.#over !== undefined) {
      if (this.#running === 0) this.#undo()
      return
    }
    if (this.#call?.isAbandoned) {
      // The call itself has already reported that it exceeded its limit.
      this.abandon(this.#late('exceeded the time limit of its call'))
      return
    }
    if (this.#begun !== undefined) this.#looks++
    if (this.#running === 0) this.#idle++
    const late =
      this.#idle * LOOK >= IDLE
        ? `was idle for ${IDLE / 1000} s`
        : this.#looks * LOOK >= LONGEST && `took longer than ${LONGEST / 1000} s`
    if (!late) return
    const error = this.#late(late)
    this.abandon(error)
    this.#owner.onError(error, WHERE)
  }

  /** Rolls back the transaction and releases the connection; the owner's next statement fails with the error. */
  abandon(error: Error): void {
    if (this.#over !== undefined) return
    this.#over = error
    // While it waits to begin, `begin` undoes it.
    if (this.#begun !== undefined || this.#running === 0) this.#undo()
  }

  #late(how: string): Error {
    const what = this.#begun === undefined ? 'A database connection' : 'A database transaction'
    const undone = this.#begun === undefined ? 'It was released.' : 'It was rolled back.'
    const error = new Error(`${what} of the extension ${this.#owner.id} ${how}. ${undone}`)
    return this.#begun === undefined ? error : withStackOf(error, this.#begun)
  }

  #undo(): void {
    if (this.#undone) return
    this.#undone = true
    const begun = this.#begun !== undefined
    this.#begun = undefined
    const undone = begun ? this.#driver.rollbackTransaction(this.#inner) : Promise.resolve()
    // If the rollback fails, the driver drops the connection, or the database has rolled back already.
    undone
      .catch(() => {})
      .then(() => this.release())
      .catch(() => {})
  }

  async #during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#idle = 0
    }
  }

  #refusal({ sql }: CompiledQuery): Error | undefined {
    if (this.#over !== undefined) return this.#over
    const change = findSessionChange(sql, this.#kind)
    if (change === undefined) return undefined
    return new Error(
      change.isTransaction
        ? `${change.words}: the extension ${this.#owner.id} must use database.db.transaction() for transactions, not SQL.`
        : `${change.words}: the extension ${this.#owner.id} must not change the state of the database connection, which is shared with the rest of the site.`,
    )
  }
}
