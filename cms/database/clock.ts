import { type RawBuilder, sql } from 'kysely'
import type { DatabaseKind } from '../../core/database/index.ts'

/** Milliseconds by which the clocks of a site's servers may differ. */
export const SKEW = 5 * 60_000

/**
 * Whether a stored moment is later than now, although it was written in the past: the clock was set back since, for example after a start
 * with a wrong one. Waiting until that moment could take years.
 */
export function isFromFuture(milliseconds: number): boolean {
  return milliseconds > Date.now() + SKEW
}

/** The earliest such moment. */
export const startOfFuture = (now: number): number => now + SKEW

/**
 * The current time in ms, for statements that compare it with times which other processes have stored: on PostgreSQL that of its clock, because
 * the clocks of nodes differ, even within a transaction that has waited for a lock.
 */
export function currentTime(kind: DatabaseKind): RawBuilder<number> {
  return kind === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`${Date.now()}`
}
