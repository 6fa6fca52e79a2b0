import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { fromGmt, toGmt } from 'pentad'
import type { RedirectDatabase, RedirectTable } from './tables.ts'
import { MATCHES, QUERIES, type RedirectListQuery, type RedirectRule, type RedirectTerms, STATUSES } from './types.ts'

/** Rows per statement, below the parameter limit of databases. */
export const BATCH = 500
/** Rows updated one by one before yielding: SQLite runs on this thread. */
const IN_A_ROW = 100

/** Stored data of a rule. */
export interface StoredRule extends Omit<RedirectRule, 'id'> {
  readonly identity: string
  /** Created automatically because a URL changed. */
  readonly automatic: boolean
}

/** Stored rules. */
export interface RedirectStore {
  /** Changes with each update of a rule, so that other processes reload. */
  version(): Promise<number>
  /** Rules with a larger ID, oldest first, in batches. */
  after(id: number): Promise<RedirectRule[]>
  /** The same, without columns that requests do not need. */
  termsAfter(id: number): Promise<Pick<RedirectRule, keyof RedirectTerms | 'id' | 'enabled'>[]>
  get(id: number): Promise<RedirectRule | undefined>
  list(query: RedirectListQuery): Promise<{ rules: RedirectRule[]; total: number }>
  /** The identities that already exist. */
  taken(identities: readonly string[]): Promise<Set<string>>
  /** Inserts rules; results are in the given order, `undefined` if the identity exists. */
  insert(rules: readonly StoredRule[]): Promise<(RedirectRule | undefined)[]>
  /** `undefined` if the rule no longer exists, `taken` if another one has that identity. */
  update(
    id: number,
    rule: Omit<StoredRule, 'hits' | 'lastHitAt' | 'createdAt'>,
  ): Promise<RedirectRule | 'taken' | undefined>
  /** Changes the targets of rules. */
  retarget(targets: ReadonlyMap<number, string>): Promise<RedirectRule[]>
  remove(ids: readonly number[]): Promise<RedirectRule[]>
  /** Automatic rules with one of these sources or targets. */
  automatic(where: { identities: readonly string[] } | { targets: readonly string[] }): Promise<RedirectRule[]>
  addHits(hits: ReadonlyMap<number, { readonly count: number; readonly last: number }>): Promise<void>
}

const ORDER_COLUMNS = { id: 'id', source: 'source', hits: 'hits', lastHitAt: 'last_hit_gmt' } as const

/** @param changed called with the new version after each change */
export function createRedirectStore(db: RedirectDatabase, changed: (version: number) => void): RedirectStore {
  /** The change and its version are stored in one transaction. */
  async function change<Result>(work: (rows: RedirectDatabase) => Promise<Result>): Promise<Result> {
    const { result, version } = await db.transaction().execute(async (trx) => ({
      result: await work(trx),
      ...(await trx
        .updateTable('seo_redirects_version')
        .set((row) => ({ version: row('version', '+', 1) }))
        .returning('version')
        .executeTakeFirstOrThrow()),
    }))
    changed(version)
    return result
  }

  return {
    async version() {
      const row = await db.selectFrom('seo_redirects_version').select('version').executeTakeFirst()
      return row?.version ?? 0
    },

    async after(id) {
      const rows = await db
        .selectFrom('seo_redirects')
        .selectAll()
        .where('id', '>', id)
        .orderBy('id')
        .limit(BATCH)
        .execute()
      return rows.map(toRule)
    },

    async termsAfter(id) {
      const rows = await db
        .selectFrom('seo_redirects')
        .select(['id', 'source', 'target', 'match', 'status', 'query', 'case_sensitive', 'enabled'])
        .where('id', '>', id)
        .orderBy('id')
        .limit(BATCH)
        .execute()
      return rows.map(toTerms)
    },

    async get(id) {
      const row = await db.selectFrom('seo_redirects').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toRule(row)
    },

    async list({ search, enabled, match, orderBy, order, page, perPage }) {
      let query = db.selectFrom('seo_redirects')
      if (search) {
        const like = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
        query = query.where(
          sql<SqlBool>`(lower(source) like ${like} escape '\\' or lower(target) like ${like} escape '\\')`,
        )
      }
      if (match) query = query.where('match', '=', match)
      if (enabled !== undefined) query = query.where('enabled', '=', Number(enabled))
      const { total } = await query.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await query
        .selectAll()
        .orderBy(ORDER_COLUMNS[orderBy], order)
        .orderBy('id', order)
        .limit(perPage)
        .offset((page - 1) * perPage)
        .execute()
      return { rules: rows.map(toRule), total }
    },

    async taken(identities) {
      const rows = await db.selectFrom('seo_redirects').select('identity').where('identity', 'in', identities).execute()
      return new Set(rows.map(({ identity }) => identity))
    },

    insert(rules) {
      return change(async (trx) => {
        const rows = await trx
          .insertInto('seo_redirects')
          .values(rules.map(toRow))
          .onConflict((conflict) => conflict.column('identity').doNothing())
          .returningAll()
          .execute()
        const stored = new Map(rows.map((row) => [row.identity, toRule(row)]))
        return rules.map(({ identity }) => stored.get(identity))
      })
    },

    update(id, rule) {
      return change(async (trx) => {
        const other = await trx
          .selectFrom('seo_redirects')
          .select('id')
          .where('identity', '=', rule.identity)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (other) return 'taken'
        const row = await trx
          .updateTable('seo_redirects')
          .set(termsRow(rule))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        return row && toRule(row)
      })
    },

    remove(ids) {
      return change(async (trx) => {
        const rows = await trx.deleteFrom('seo_redirects').where('id', 'in', ids).returningAll().execute()
        return rows.map(toRule)
      })
    },

    retarget(targets) {
      return change(async (trx) => {
        const rules: RedirectRule[] = []
        for (const [at, [id, target]] of [...targets].entries()) {
          const query = trx.updateTable('seo_redirects').set({ target }).where('id', '=', id)
          const row = await query.returningAll().executeTakeFirst()
          if (row) rules.push(toRule(row))
          if (at % IN_A_ROW === IN_A_ROW - 1) await yieldToEventLoop()
        }
        return rules
      })
    },

    async automatic(where) {
      const query = db.selectFrom('seo_redirects').selectAll().where('automatic', '=', 1)
      const rows = await ('identities' in where
        ? query.where('identity', 'in', where.identities)
        : query.where('target', 'in', where.targets)
      ).execute()
      return rows.map(toRule)
    },

    addHits(hits) {
      return db.transaction().execute(async (trx) => {
        for (const [at, [id, { count, last }]] of [...hits].entries()) {
          await trx
            .updateTable('seo_redirects')
            .set((row) => ({ hits: row('hits', '+', count), last_hit_gmt: toGmt(last) }))
            .where('id', '=', id)
            .execute()
          if (at % IN_A_ROW === IN_A_ROW - 1) await yieldToEventLoop()
        }
      })
    },
  }
}

function termsRow(rule: Omit<StoredRule, 'hits' | 'lastHitAt' | 'createdAt'>) {
  const { identity, source, target, match, status, query, caseSensitive, enabled, automatic, note } = rule
  return {
    ...{ identity, source, target, match, status, query, note },
    case_sensitive: Number(caseSensitive),
    enabled: Number(enabled),
    automatic: Number(automatic),
  }
}

function toRow(rule: StoredRule): Insertable<RedirectTable> {
  const { hits, lastHitAt, createdAt } = rule
  return {
    ...termsRow(rule),
    hits,
    last_hit_gmt: lastHitAt === null ? null : toGmt(Date.parse(lastHitAt)),
    created_gmt: toGmt(Date.parse(createdAt)),
  }
}

type TermsRow = Pick<
  Selectable<RedirectTable>,
  'id' | 'source' | 'target' | 'match' | 'status' | 'query' | 'case_sensitive' | 'enabled'
>

function toTerms(row: TermsRow) {
  return {
    id: row.id,
    source: row.source,
    target: row.target,
    match: MATCHES.find((match) => match === row.match) ?? 'exact',
    status: STATUSES.find((status) => status === row.status) ?? 301,
    query: QUERIES.find((query) => query === row.query) ?? 'ignore',
    caseSensitive: row.case_sensitive === 1,
    enabled: row.enabled === 1,
  }
}

function toRule(row: Selectable<RedirectTable>): RedirectRule {
  return {
    ...toTerms(row),
    hits: row.hits,
    lastHitAt: row.last_hit_gmt === null ? null : fromGmt(row.last_hit_gmt),
    createdAt: fromGmt(row.created_gmt),
    note: row.note,
  }
}
