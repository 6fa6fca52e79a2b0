import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database, Schema } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import { currentTime, SKEW } from './clock.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    leases: LeaseTable
  }
}

interface LeaseTable {
  name: string
  holder: string
  /** Milliseconds since 1970, by the clock of the database on PostgreSQL. */
  expires: number
}

/** Reason of a lease's signal if another process has taken over the lease, or may have. */
export class LeaseLost extends Error {}

/** A row that says: this is mine until it expires. */
export interface Lease {
  readonly name: string
  /** Unique per acquisition, to distinguish a late writer from the current holder (fencing token). */
  readonly holder: string
  /** Aborted when the lease is lost: it was not renewed in time, or exceeded its maximum duration. */
  readonly signal: AbortSignal
}

export type TakenLease = Pick<Lease, 'name' | 'holder'>

/** The database, or a transaction in it. */
export type LeaseDatabase = Pick<Database, 'kind' | 'db'>

export interface HoldLimits {
  /** Milliseconds after which other processes may take over from a holder that died. */
  readonly ttl: number
  /** Milliseconds after which the lease is no longer renewed, even if the holder is alive. */
  readonly longest?: number
  /**
   * Whether the lease is lost as soon as it expires, before this process knows whether another one has taken it over: for work that a process
   * that was paused must not continue. Default: `false`.
   */
  readonly endsOnExpiry?: boolean
}

export interface Leases {
  /**
   * Runs `work` while holding the lease, which is renewed three times in its lifetime; `undefined` if another
   * holder has it. `work` may have ended the lease itself with `endLease`.
   */
  hold<Result>(
    name: string,
    limits: HoldLimits,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<{ result: Result } | undefined>
  /** As `hold`, with a lease that was taken before. */
  keep<Result>(lease: TakenLease, limits: HoldLimits, work: (lease: Lease) => Promise<Result>): Promise<Result>
}

/** Leases in the `leases` table, one row each, shared by all processes of the site. */
export function createLeases(database: LeaseDatabase, log: Logger): Leases {
  /** @param since - When the lease was taken at the earliest. */
  async function keep<Result>(
    taken: TakenLease,
    { ttl, longest = Number.POSITIVE_INFINITY, endsOnExpiry = false }: HoldLimits,
    work: (lease: Lease) => Promise<Result>,
    since: number,
  ): Promise<Result> {
    const started = Date.now()
    const lost = new AbortController()
    const lease: Lease = { ...taken, signal: lost.signal }
    let good = since + ttl
    const loseIfExpired = (cause?: unknown) => {
      if (Date.now() > good) lost.abort(new LeaseLost(`The lease ${lease.name} expired.`, { cause }))
    }
    if (endsOnExpiry) loseIfExpired()
    const heartbeat = setInterval(() => {
      if (Date.now() - started > longest) return lost.abort(new Error(`The lease ${lease.name} was held for too long.`))
      // After a pause, timers run before what has arrived in the meantime is read.
      if (endsOnExpiry) loseIfExpired()
      if (lost.signal.aborted) return
      const asked = Date.now()
      renewLease(database, lease, ttl)
        .then((renewed) => {
          if (renewed) good = asked + ttl
          else lost.abort(new LeaseLost(`The lease ${lease.name} was lost.`))
        })
        .catch((error) => {
          log.warn({ err: error, lease: lease.name }, 'could not renew lease')
          loseIfExpired(error)
        })
    }, ttl / 3)
    heartbeat.unref()
    lost.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
    try {
      return await work(lease)
    } finally {
      clearInterval(heartbeat)
      await endLease(database.db, lease).catch((error) =>
        log.warn({ err: error, lease: lease.name }, 'could not release lease'),
      )
    }
  }

  return {
    keep: (taken, limits, work) => keep(taken, limits, work, Date.now()),
    async hold(name, limits, work) {
      const since = Date.now()
      const taken = await takeLease(database, name, limits.ttl)
      return taken && { result: await keep(taken, limits, work, since) }
    },
  }
}

/** Takes a lease that no other holder has, for `keep`; in a transaction, with the other writes or not at all. */
export async function takeLease(
  { kind, db }: LeaseDatabase,
  name: string,
  ttl: number,
): Promise<TakenLease | undefined> {
  const holder = randomUUID()
  const now = currentTime(kind)
  const expires = sql<number>`${now} + ${ttl}`
  return db
    .insertInto('leases')
    .values({ name, holder, expires })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires })
        // A holder that is alive would have renewed it since the clock was set back.
        .where(({ eb, or }) =>
          or([eb('leases.expires', '<=', now), eb('leases.expires', '>', sql<number>`${now} + ${ttl + SKEW}`)]),
        ),
    )
    .returning(['name', 'holder'])
    .executeTakeFirst()
}

/**
 * Extends a lease; `false` if the holder had lost it. Inside a transaction it acts as a fence: it locks the row, so the other writes of the
 * transaction are committed only by the holder.
 */
export async function renewLease({ kind, db }: LeaseDatabase, lease: TakenLease, ttl: number): Promise<boolean> {
  const renewed = await db
    .updateTable('leases')
    .set({ expires: sql<number>`${currentTime(kind)} + ${ttl}` })
    .where('name', '=', lease.name)
    .where('holder', '=', lease.holder)
    .returning('name')
    .executeTakeFirst()
  return renewed !== undefined
}

/** Ends a lease; `false` if the holder had lost it. Inside a transaction it acts as a fence, like `renewLease`. */
export async function endLease(db: Kysely<Schema>, lease: TakenLease): Promise<boolean> {
  const ended = await db
    .deleteFrom('leases')
    .where('name', '=', lease.name)
    .where('holder', '=', lease.holder)
    .returning('name')
    .executeTakeFirst()
  return ended !== undefined
}
