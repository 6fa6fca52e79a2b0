import { randomUUID } from 'node:crypto'
import type { IndexNowDatabase, SubmissionTable } from './tables.ts'

/** Maximum number of stored submissions. */
const MAX_SUBMISSIONS = 500

/** Log of recent submissions. */
export interface Submissions {
  add(submission: Omit<SubmissionTable, 'id' | 'submitted'>): Promise<void>
  /** Newest first. */
  list(limit: number, offset: number): Promise<{ items: SubmissionTable[]; total: number }>
  prune(): Promise<void>
}

export function createSubmissions(db: IndexNowDatabase): Submissions {
  const newest = db.selectFrom('seo_indexnow_submissions').orderBy('submitted', 'desc').orderBy('id')
  return {
    async add(submission) {
      const values = { ...submission, id: randomUUID(), submitted: Date.now() }
      await db.insertInto('seo_indexnow_submissions').values(values).execute()
    },
    async list(limit, offset) {
      const { total } = await db
        .selectFrom('seo_indexnow_submissions')
        .select((row) => row.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { items: await newest.selectAll().limit(limit).offset(offset).execute(), total }
    },
    async prune() {
      const last = await newest.select('submitted').limit(1).offset(MAX_SUBMISSIONS).executeTakeFirst()
      if (last) await db.deleteFrom('seo_indexnow_submissions').where('submitted', '<=', last.submitted).execute()
    },
  }
}
