import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import { isReference, isRowId } from '../../../core/database/row-id.ts'
import { unindexed } from '../posts/filters.ts'
import { cleanText } from '../rows.ts'
import type { ExportFilter } from './types.ts'

/** Types that are never exported: as in WordPress, revisions are not separate content. */
const NEVER = ['revision']
/** Auto-drafts are excluded too. */
const UNSAVED = 'auto-draft'

/** The rows of an export. */
export interface Selection {
  readonly isEverything: boolean
  count(): Promise<number>
  /** Ids of posts above one, in order. */
  idsAfter(id: number, limit: number): Promise<number[]>
  /** Users who wrote the posts, or comments on them. */
  authorIds(): Promise<number[]>
  /** Terms, each after its parent: all, or those of the posts with their ancestors. */
  termIds(): Promise<number[]>
}

export function createSelection({ db }: Pick<Database, 'db'>, filter: ExportFilter): Selection {
  const { types, author, category, startDate, endDate, statuses, comments = true } = filter
  const isEverything = [types, author, category, startDate, endDate, statuses].every((given) => given === undefined)
  const conditions = [
    sql<SqlBool>`posts.type not in (${sql.join(NEVER)})`,
    sql<SqlBool>`posts.status <> ${UNSAVED}`,
    ...(types ? [isAny('type', types)] : []),
    ...(statuses ? [isAny('status', statuses)] : []),
    ...(author === undefined ? [] : [sql<SqlBool>`posts.author_id = ${isReference(author) ? author : -1}`]),
    ...(category === undefined ? [] : [hasTerm(category)]),
    ...(startDate === undefined ? [] : [sql<SqlBool>`posts.date >= ${`${startDate} 00:00:00`}`]),
    ...(endDate === undefined ? [] : [sql<SqlBool>`posts.date <= ${`${endDate} 23:59:59`}`]),
  ]
  const selected = () => conditions.reduce((rows, condition) => rows.where(condition), db.selectFrom('posts'))

  return {
    isEverything,
    async count() {
      const { total } = await selected()
        .select((build) => build.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async idsAfter(id, limit) {
      const rows = selected().select('posts.id').where('posts.id', '>', id).orderBy('posts.id').limit(limit)
      return (await rows.execute()).map((row) => row.id)
    },
    async authorIds() {
      const writers = await selected().select('posts.author_id as id').distinct().execute()
      const commenters = comments
        ? await db
            .selectFrom('comments')
            .select('user_id as id')
            .distinct()
            .where('status', '<>', 'spam')
            .where('user_id', '>', 0)
            .where('post_id', 'in', selected().select('posts.id'))
            .execute()
        : []
      return [...new Set([...writers, ...commenters].map(({ id }) => id))].sort((one, other) => one - other)
    },
    async termIds() {
      const parents = new Map(
        (await db.selectFrom('terms').select(['id', 'parent_id']).orderBy('id').execute()).map((row) => [
          row.id,
          row.parent_id,
        ]),
      )
      if (isEverything) return parentsFirst(parents.keys(), parents)
      const used = await db
        .selectFrom('term_relationships')
        .select('term_id as id')
        .distinct()
        .where('post_id', 'in', selected().select('posts.id'))
        .orderBy('term_id')
        .execute()
      const asked = category !== undefined && parents.has(category) ? [category] : []
      return parentsFirst([...asked, ...used.map(({ id }) => id)], parents)
    },
  }

  /** Not by an index of the type, since the posts are read in the order of their ids. */
  function isAny(column: 'type' | 'status', values: readonly string[]) {
    if (values.length === 0) return sql<SqlBool>`1 = 0`
    return sql<SqlBool>`${unindexed(`posts.${column}`)} in (${sql.join(values.map(cleanText))})`
  }

  function hasTerm(id: number) {
    return sql<SqlBool>`posts.id in (select post_id from term_relationships where term_id = ${isRowId(id) ? id : -1})`
  }
}

/** Each ID once, after its ancestors. */
function parentsFirst(ids: Iterable<number>, parents: ReadonlyMap<number, number>): number[] {
  const ordered = new Set<number>()
  for (const id of ids) {
    const chain = new Set<number>()
    for (let at = id; parents.has(at) && !ordered.has(at) && !chain.has(at); at = parents.get(at) ?? 0) chain.add(at)
    for (const each of [...chain].reverse()) ordered.add(each)
  }
  return [...ordered]
}
