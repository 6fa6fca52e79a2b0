import type { Database } from '../../../core/database/index.ts'
import { createSearchIndex } from './index.ts'

/** Posts that are indexed in one transaction. */
const POSTS = 200

/** Builds the search index of a database whose posts are not indexed yet. */
export async function* indexAllPosts(database: Pick<Database, 'kind' | 'db'>): AsyncGenerator<void> {
  const { db } = database
  const search = createSearchIndex(database)
  for (let after = 0; ; ) {
    const posts = await db.selectFrom('posts').selectAll().where('id', '>', after).orderBy('id').limit(POSTS).execute()
    const entries = await Promise.all(posts.map(async (post) => [post, await search.entry(post)] as const))
    await db.transaction().execute(async (transaction) => {
      for (const [post, entry] of entries) await search.put(transaction, post, entry)
    })
    yield
    const last = posts.at(-1)
    if (!last) return
    after = last.id
  }
}
