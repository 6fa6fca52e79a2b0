import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { oneLine } from '../../core/auth/text.ts'
import type { SecurityEventDetails } from '../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Database, Schema } from '../../core/database/index.ts'
import { isRowId } from '../../core/database/row-id.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { networkPrefix } from './network-prefix.ts'
import type { SecurityLogTable } from './tables.ts'
import type { SecurityEvent, SecurityLog, SecurityLogEntry, SecurityLogQuery } from './types.ts'

const HOUR = 60 * 60 * 1000
/** Retention: a year. */
const RETENTION = 365 * 24 * HOUR
/** Milliseconds that a request waits for its entry to be stored. */
const PATIENCE = 1000
/** Milliseconds between two writes of one entry: a flood of attempts is counted in memory meanwhile. */
const WRITE_INTERVAL = 5000
/** Entries of strangers' attempts an hour; those from further networks are counted together. */
const STRANGERS_ENTRIES = 50
const USER_AGENT_LENGTH = 150
const MEMORY = 5000

/** Events that anonymous visitors can cause. */
const BY_STRANGERS: ReadonlySet<string> = new Set<SecurityEvent>([
  'sign_in_failed',
  'sign_in_blocked',
  'application_password_failed',
  'password_link_requested',
])

type Row = Omit<Insertable<SecurityLogTable>, 'count'>

/** An entry that was written within this hour. */
interface Written {
  readonly row: Row
  at: number
  /** Counted since. */
  pending: number
  timer: NodeJS.Timeout | undefined
}

export interface SecurityLogStore extends SecurityLog {
  /** Removes what is older than a year. */
  prune(): Promise<void>
  /** Writes what is only counted so far. */
  settle(): Promise<void>
}

/**
 * The security log: logins, failed logins, and security-relevant changes. Equal events within an hour are one entry with a count, and the
 * number of entries caused by anonymous visitors is limited, so that attacks cannot fill the database. Unknown names are never stored,
 * because users sometimes type their password into the name field.
 */
export function createSecurityLog(
  { db }: Database,
  { log, now }: { log: Logger; now: () => number },
): SecurityLogStore {
  const written = new LRUCache<string, Written>({ maxSize: MEMORY, sizeCalculation: () => 1 })
  const writing = new Set<Promise<void>>()
  let hour = 0
  let strangers = new Set<string>()

  /** Of a stranger's attempt: the network, unless too many have come within this hour. */
  function boundedNetwork(network: string, moment: number): string {
    if (Math.floor(moment / HOUR) !== hour) {
      hour = Math.floor(moment / HOUR)
      strangers = new Set()
    }
    if (strangers.has(network)) return network
    if (strangers.size >= STRANGERS_ENTRIES) return ''
    strangers.add(network)
    return network
  }

  function rowOf(event: string, { user, client, detail = {} }: SecurityEventDetails, moment: number): Row {
    const request = currentRequest()
    const identity = request?.identity
    const from = client ?? request?.client
    const isStranger = BY_STRANGERS.has(event)
    const network = networkPrefix(from?.address ?? '')
    const facts = {
      event,
      user_id: user?.id ?? 0,
      user_login: user?.login ?? '',
      actor_id: isStranger ? 0 : (identity?.user?.id ?? 0),
      actor_login: isStranger ? '' : (identity?.user?.login ?? ''),
      network: isStranger ? boundedNetwork(network, moment) : network,
      detail: JSON.stringify(detail),
    }
    const key = JSON.stringify([...Object.values(facts), Math.floor(moment / HOUR)])
    return {
      ...facts,
      group_key: hash('sha256', key, 'base64url'),
      user_agent: oneLine(from?.userAgent ?? '').slice(0, USER_AGENT_LENGTH),
      first_gmt: toGmt(moment),
      last_gmt: toGmt(moment),
    }
  }

  function write(row: Row, count: number): Promise<void> {
    const done: Promise<void> = db
      .insertInto('security_log')
      .values({ ...row, count })
      .onConflict((conflict) =>
        conflict.column('group_key').doUpdateSet((builder) => ({
          count: builder('security_log.count', '+', count),
          last_gmt: row.last_gmt,
        })),
      )
      .execute()
      .then(
        () => {},
        (error: unknown) => log.error({ err: error, event: row.event }, 'could not store security event'),
      )
      .finally(() => writing.delete(done))
    writing.add(done)
    return done
  }

  async function store(row: Row): Promise<void> {
    const moment = now()
    const last = written.get(row.group_key)
    if (last && moment - last.at < WRITE_INTERVAL) {
      last.pending++
      last.timer ??= setTimeout(() => void flush(last), WRITE_INTERVAL).unref()
      return
    }
    clearTimeout(last?.timer)
    written.set(row.group_key, { row, at: moment, pending: 0, timer: undefined })
    await Promise.race([write(row, 1 + (last?.pending ?? 0)), wait(PATIENCE, undefined, { ref: false })])
  }

  async function flush(entry: Written): Promise<void> {
    clearTimeout(entry.timer)
    entry.timer = undefined
    const { pending } = entry
    entry.pending = 0
    entry.at = now()
    if (pending > 0) await write({ ...entry.row, last_gmt: toGmt(entry.at) }, pending)
  }

  return {
    async record(event, details = {}) {
      const row = rowOf(event, details, now())
      log.info({ event, user: row.user_login, actor: row.actor_login, network: row.network }, 'security event')
      await store(row)
    },
    async query(asked) {
      const found = db.selectFrom('security_log').where(matching(asked))
      const rows = await found
        .selectAll()
        .orderBy('last_gmt', 'desc')
        .orderBy('id', 'desc')
        .limit(asked.limit)
        .offset(asked.offset)
        .execute()
      const { total } = await found
        .select((builder) => builder.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { items: rows.map(toEntry), total }
    },
    async prune() {
      await db
        .deleteFrom('security_log')
        .where('last_gmt', '<', toGmt(now() - RETENTION))
        .execute()
    },
    async settle() {
      await Promise.all([...written.values()].map(flush))
      await Promise.all(writing)
    },
  }
}

function matching({ events, userId, after, before }: Omit<SecurityLogQuery, 'limit' | 'offset'>) {
  return (builder: ExpressionBuilder<Schema, 'security_log'>) =>
    builder.and([
      ...(events?.length ? [builder('event', 'in', events)] : []),
      ...(userId === undefined
        ? []
        : [builder.or([builder('user_id', '=', rowId(userId)), builder('actor_id', '=', rowId(userId))])]),
      ...(after === undefined ? [] : [builder('last_gmt', '>=', toGmt(after))]),
      ...(before === undefined ? [] : [builder('first_gmt', '<', toGmt(before))]),
    ])
}

/** Replaces an invalid id by one that does not exist, because PostgreSQL would reject the comparison. */
function rowId(id: number): number {
  return isRowId(id) ? id : -1
}

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))

function toEntry(row: Selectable<SecurityLogTable>): SecurityLogEntry {
  return {
    id: row.id,
    event: row.event,
    count: row.count,
    first: fromGmt(row.first_gmt),
    last: fromGmt(row.last_gmt),
    user: row.user_id === 0 ? null : { id: row.user_id, login: row.user_login },
    actor: row.actor_id === 0 ? null : { id: row.actor_id, login: row.actor_login },
    network: row.network,
    userAgent: row.user_agent,
    detail: detailSchema.parse(JSON.parse(row.detail)),
  }
}
