import { randomBytes } from 'node:crypto'
import type { Kysely, Selectable, Updateable } from 'kysely'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Schema } from '../../core/database/index.ts'
import { requestId } from '../../core/http/request-context.ts'
import { startOfFuture } from '../database/clock.ts'
import { endLease, type Lease } from '../database/leases.ts'
import type { JobReport, JobState } from './types.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    jobs: JobTable
  }
}

export interface JobTable {
  id: string
  type: string
  state: string
  /** JSON text: the state from which the next tick continues. */
  data: string
  /** 0 to 100. */
  percent: number
  message: string
  error: string | null
  attempts: number
  run_after_gmt: string
  created_gmt: string
  updated_gmt: string
  /** ID of the request that started it. */
  request_id: string | null
}

/** A stored job. One that is `cancelled` and has a `run_after_gmt` waits for cleanup. */
export type JobRow = Selectable<JobTable>

/** `run_after_gmt` of a job that has nothing left to do. */
export const NEVER = ''

const STATES: readonly JobState[] = ['running', 'complete', 'cancelled', 'failed']

/** The `jobs` table. */
export interface JobStore {
  insert(type: string, data: string): Promise<JobRow>
  get(id: string): Promise<JobRow | undefined>
  list(filter: { type?: string; state?: JobState }): Promise<JobRow[]>
  /** Number of jobs by type and state. */
  count(): Promise<{ type: string; state: string; count: number }[]>
  /** Jobs with something to do at that moment, longest waiting first. If the clock was set back, their times mean nothing, so they are due. */
  due(now: number): Promise<JobRow[]>
  /** `run_after_gmt` of the job that is due next. */
  nextDue(): Promise<string | undefined>
  /** Writes what a tick left behind and ends the lease, both or neither; `false` if the lease was lost or the job's state changed meanwhile. */
  settle(lease: Lease, row: JobRow, changes: Updateable<JobTable>): Promise<boolean>
  /** Running → cancelled with the clearing up still to do; `false` if it was not running. */
  cancel(id: string): Promise<boolean>
  /** Removes jobs that ended before that moment. */
  prune(before: number): Promise<void>
}

export function createJobStore(db: Kysely<Schema>): JobStore {
  return {
    async insert(type, data) {
      const now = toGmt(Date.now())
      return db
        .insertInto('jobs')
        .values({
          id: randomBytes(16).toString('base64url'),
          type,
          state: 'running',
          data,
          percent: 0,
          message: '',
          error: null,
          attempts: 0,
          run_after_gmt: now,
          created_gmt: now,
          updated_gmt: now,
          request_id: requestId() ?? null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    get: (id) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),

    list({ type, state }) {
      let query = db.selectFrom('jobs').selectAll().orderBy('created_gmt', 'desc').orderBy('id')
      if (type !== undefined) query = query.where('type', '=', type)
      if (state !== undefined) query = query.where('state', '=', state)
      return query.execute()
    },

    count: () =>
      db
        .selectFrom('jobs')
        .select(({ fn }) => ['type', 'state', fn.countAll<number>().as('count')])
        .groupBy(['type', 'state'])
        .execute(),

    due: (now) =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where('state', 'in', ['running', 'cancelled'])
        .where('run_after_gmt', '<>', NEVER)
        .where(({ eb, or }) =>
          or([eb('run_after_gmt', '<=', toGmt(now)), eb('updated_gmt', '>', toGmt(startOfFuture(now)))]),
        )
        .orderBy('run_after_gmt')
        .orderBy('updated_gmt')
        .execute(),

    async nextDue() {
      const row = await db
        .selectFrom('jobs')
        .select((builder) => builder.fn.min('run_after_gmt').as('next'))
        .where('state', 'in', ['running', 'cancelled'])
        .where('run_after_gmt', '<>', NEVER)
        .executeTakeFirst()
      return row?.next ?? undefined
    },

    settle: (lease, row, changes) =>
      db.transaction().execute(async (transaction) => {
        if (!(await endLease(transaction, lease))) return false
        const settled = await transaction
          .updateTable('jobs')
          .set({ ...changes, updated_gmt: toGmt(Date.now()) })
          .where('id', '=', row.id)
          .where('state', '=', row.state)
          .returning('id')
          .executeTakeFirst()
        return settled !== undefined
      }),

    async cancel(id) {
      const now = toGmt(Date.now())
      const cancelled = await db
        .updateTable('jobs')
        .set({ state: 'cancelled', attempts: 0, run_after_gmt: now, updated_gmt: now })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst()
      return cancelled !== undefined
    },

    async prune(before) {
      await db
        .deleteFrom('jobs')
        .where('state', '<>', 'running')
        .where('run_after_gmt', '=', NEVER)
        .where('updated_gmt', '<', toGmt(before))
        .execute()
    },
  }
}

/** The public fields of a job, without its data. No process works on a job with an unknown state, for example of a damaged row. */
export function toReport(row: JobRow): JobReport {
  return {
    id: row.id,
    type: row.type,
    state: STATES.find((known) => known === row.state) ?? 'failed',
    percent: row.percent,
    message: row.message,
    error: row.error,
    created: fromGmt(row.created_gmt),
    updated: fromGmt(row.updated_gmt),
  }
}
