import { fromGmt, type ResponseOf, RestError, toGmt } from 'pentad'
import type { changeShape } from './response-schemas.ts'
import type { ChangeRow, ChangeStatus, CopilotDatabase } from './tables.ts'

/** Time after which applying a change is considered interrupted, because its process died. */
const APPLYING_MS = 10 * 60_000

/** A change proposed by the copilot. */
export type Change = ResponseOf<typeof changeShape>

export interface ChangeQuery {
  readonly userId: number
  readonly status?: ChangeStatus | undefined
  readonly conversationId?: number | undefined
  readonly limit: number
  readonly offset: number
}

/** Changes proposed by the copilot; each belongs to the user who asked for it. */
export interface Changes {
  /** Newest first. */
  list(query: ChangeQuery): Promise<{ rows: ChangeRow[]; total: number }>
  /** @throws RestError 404 `change_not_found`, including for changes of other users */
  get(id: number, userId: number): Promise<ChangeRow>
  /**
   * Claims a proposed change in order to apply it; only one concurrent caller succeeds. @throws RestError 409
   * `change_settled`
   */
  claim(row: ChangeRow): Promise<void>
  /** Completes a claimed change. */
  settle(id: number, status: 'proposed' | 'applied'): Promise<ChangeRow>
  /** @throws RestError 409 `change_settled` */
  discard(row: ChangeRow): Promise<ChangeRow>
}

export function createChanges(db: CopilotDatabase): Changes {
  const find = (id: number) => db.selectFrom('ai_changes').selectAll().where('id', '=', id)

  async function rejectSettled(id: number): Promise<never> {
    const now = await find(id).executeTakeFirst()
    const status = now?.status ?? 'discarded'
    const message = `The change ${status === 'applying' ? 'is already being applied' : `has already been ${status}`}.`
    throw new RestError('change_settled', message, { status: 409, change: { id, status } })
  }

  /** Changes the status of a proposed change, or of one whose application was interrupted; no effect otherwise. */
  function moveOn(id: number, status: 'applying' | 'discarded') {
    const now = Date.now()
    return db
      .updateTable('ai_changes')
      .set({ status, settled_gmt: toGmt(now) })
      .where('id', '=', id)
      .where((row) =>
        row.or([
          row('status', '=', 'proposed'),
          row.and([row('status', '=', 'applying'), row('settled_gmt', '<', toGmt(now - APPLYING_MS))]),
        ]),
      )
      .returningAll()
      .executeTakeFirst()
  }

  return {
    async list({ userId, status, conversationId, limit, offset }) {
      let own = db.selectFrom('ai_changes').where('user_id', '=', userId)
      if (status !== undefined) own = own.where('status', '=', status)
      if (conversationId !== undefined) own = own.where('conversation_id', '=', conversationId)
      const { total } = await own.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      return { rows: await own.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(), total }
    },
    async get(id, userId) {
      const row = await find(id).where('user_id', '=', userId).executeTakeFirst()
      if (!row) throw new RestError('change_not_found', 'Change not found.', { status: 404 })
      return row
    },
    async claim({ id }) {
      if (!(await moveOn(id, 'applying'))) await rejectSettled(id)
    },
    async settle(id, status) {
      const settled = db.updateTable('ai_changes').set({ status, settled_gmt: toGmt(Date.now()) })
      return settled.where('id', '=', id).returningAll().executeTakeFirstOrThrow()
    },
    async discard({ id }) {
      return (await moveOn(id, 'discarded')) ?? rejectSettled(id)
    },
  }
}

/** A change in API format. */
export function toChange(row: ChangeRow): Change {
  const isSettled = row.status === 'applied' || row.status === 'discarded'
  return {
    id: row.id,
    conversationId: row.conversation_id,
    messageId: row.message_id,
    kind: row.ability,
    target: JSON.parse(row.target),
    summary: row.summary,
    before: JSON.parse(row.before),
    after: JSON.parse(row.after),
    status: row.status,
    createdAt: fromGmt(row.created_gmt),
    settledAt: isSettled ? fromGmt(row.settled_gmt) : null,
  }
}
