import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import { startOfFuture } from './clock.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    leases: LeaseTable
  }
}

interface LeaseTable {
  name: string
  holder: string
  /** Milliseconds since 1970. */
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

export interface HoldLimits {
  /** Milliseconds after which other processes may take over from a holder that died. */
  readonly ttl: number
  /** Milliseconds after which the lease is no longer renewed, even if the holder is alive. */
  readonly longest?: number
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
export function createLeases(db: Kysely<Schema>, log: Logger): Leases {
  async function renew(lease: TakenLease, ttl: number): Promise<boolean> {
    const renewed = await db
      .updateTable('leases')
      .set({ expires: Date.now() + ttl })
      .where('name', '=', lease.name)
      .where('holder', '=', lease.holder)
      .returning('name')
      .executeTakeFirst()
    return renewed !== undefined
  }

  const keep: Leases['keep'] = async (taken, { ttl, longest = Number.POSITIVE_INFINITY }, work) => {
    const started = Date.now()
    const lost = new AbortController()
    const lease: Lease = { ...taken, signal: lost.signal }
    let good = Date.now() + ttl
    const heartbeat = setInterval(() => {
      if (Date.now() - started > longest) return lost.abort(new Error(`The lease ${lease.name} was held for too long.`))
      renew(lease, ttl)
        .then((renewed) => {
          if (renewed) good = Date.now() + ttl
          else lost.abort(new LeaseLost(`The lease ${lease.name} was lost.`))
        })
        .catch((error) => {
          log.warn({ err: error, lease: lease.name }, 'could not renew lease')
          if (Date.now() > good) lost.abort(new LeaseLost(`The lease ${lease.name} expired.`, { cause: error }))
        })
    }, ttl / 3)
    heartbeat.unref()
    lost.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
    try {
      return await work(lease)
    } finally {
      clearInterval(heartbeat)
      await endLease(db, lease).catch((error) => log.warn({ err: error, lease: lease.name }, 'could not release lease'))
    }
  }

  return {
    keep,
    async hold(name, limits, work) {
      const taken = await takeLease(db, name, limits.ttl)
      return taken && { result: await keep(taken, limits, work) }
    },
  }
}

/** Takes a lease that no other holder has, for `keep`; in a transaction, with the other writes or not at all. */
export async function takeLease(db: Kysely<Schema>, name: string, ttl: number): Promise<TakenLease | undefined> {
  const holder = randomUUID()
  const now = Date.now()
  return db
    .insertInto('leases')
    .values({ name, holder, expires: now + ttl })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires: now + ttl })
        // A holder that is alive would have renewed it since the clock was set back.
        .where(({ eb, or }) =>
          or([eb('leases.expires', '<=', now), eb('leases.expires', '>', startOfFuture(now + ttl))]),
        ),
    )
    .returning(['name', 'holder'])
    .executeTakeFirst()
}

/**
 * Ends a lease; `false` if the holder had lost it. Inside a transaction it acts as a fence: it locks the row, so the other writes of the
 * transaction are committed only by the holder.
 */
export async function endLease(db: Kysely<Schema>, lease: TakenLease): Promise<boolean> {
  const ended = await db
    .deleteFrom('leases')
    .where('name', '=', lease.name)
    .where('holder', '=', lease.holder)
    .returning('name')
    .executeTakeFirst()
  return ended !== undefined
}
