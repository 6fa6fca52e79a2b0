import { fromGmt, toGmt } from 'pentad'
import { cutLine } from '../cut-text.ts'
import type { AuditEvent } from './audit-events.ts'
import type { AuditRow, CopilotDatabase } from './tables.ts'

/** Maximum length of a summary. */
const LONGEST = 300

/** Retention of entries, in days. */
const RETENTION_DAYS = 365
const DAY = 86_400_000

export interface AuditEntry {
  readonly userId: number
  /** `null` for a turn that failed before a conversation was created. */
  readonly conversationId: number | null
  readonly event: AuditEvent
  readonly changeId?: number | undefined
  /** Name of the ability; empty for a turn. */
  readonly ability: string
  readonly summary: string
  /** `ok`, or an error code. */
  readonly outcome: string
}

/** The audit log of the copilot: actions and their outcome by user. */
export interface AuditLog {
  add(entries: readonly AuditEntry[]): Promise<void>
  /** Newest first. */
  list(query: {
    readonly event?: AuditEvent | undefined
    readonly limit: number
    readonly offset: number
  }): Promise<{ items: ReturnType<typeof toItem>[]; total: number }>
  /** Deletes entries older than a year. */
  prune(now: number): Promise<void>
}

export function createAuditLog(db: CopilotDatabase): AuditLog {
  return {
    async add(entries) {
      if (entries.length === 0) return
      const now = toGmt(Date.now())
      const rows = entries.map((entry) => ({
        created_gmt: now,
        user_id: entry.userId,
        conversation_id: entry.conversationId,
        change_id: entry.changeId ?? null,
        event: entry.event,
        ability: entry.ability,
        summary: cutLine(entry.summary.replaceAll('\0', ''), LONGEST),
        outcome: entry.outcome,
      }))
      await db.insertInto('ai_audit').values(rows).execute()
    },
    async list({ event, limit, offset }) {
      let rows = db.selectFrom('ai_audit')
      if (event !== undefined) rows = rows.where('event', '=', event)
      const { total } = await rows.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = rows.selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
      return { items: (await page.execute()).map(toItem), total }
    },
    async prune(now) {
      await db
        .deleteFrom('ai_audit')
        .where('created_gmt', '<', toGmt(now - RETENTION_DAYS * DAY))
        .execute()
    },
  }
}

function toItem({ id, created_gmt, user_id, conversation_id, change_id, event, ability, summary, outcome }: AuditRow) {
  return {
    ...{ id, userId: user_id, conversationId: conversation_id, changeId: change_id, event, ability, summary, outcome },
    createdAt: fromGmt(created_gmt),
  }
}
