import type { Database } from 'pentad'
import type { LegacyPlugin } from './types.ts'

/** Values that plugins store in meta when nothing was entered, as JSON. */
const EMPTY_VALUES = ['""', '"0"', '0', 'null', 'false', '[]', '{}']

/** IDs of the posts with data of a plugin. Revisions and auto-drafts are ignored. */
function postsWith({ db }: Pick<Database, 'db'>, plugin: LegacyPlugin) {
  return db
    .selectFrom('postmeta')
    .innerJoin('posts', 'posts.id', 'postmeta.post_id')
    .where('meta_key', 'in', metaKeysOf(plugin))
    .where('meta_value', 'not in', EMPTY_VALUES)
    .where('type', '!=', 'revision')
    .where('status', '!=', 'auto-draft')
}

/** Number of posts with data of a plugin, not counting redirects stored as posts. */
export async function countPosts(database: Pick<Database, 'db'>, plugin: LegacyPlugin): Promise<number> {
  const { posts } = await postsWith(database, plugin)
    .where('type', '!=', plugin.redirectType ?? '')
    .select(({ fn }) => fn.count<number>('post_id').distinct().as('posts'))
    .executeTakeFirstOrThrow()
  return posts
}

/** IDs of the posts with data of a plugin, including redirects stored as posts. */
export async function postIds(database: Pick<Database, 'db'>, plugin: LegacyPlugin): Promise<number[]> {
  const rows = await postsWith(database, plugin).select('post_id as id').distinct().orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** IDs of the terms with data of a plugin in their meta. */
export async function termIds({ db }: Pick<Database, 'db'>, plugin: LegacyPlugin): Promise<number[]> {
  const rows = await db
    .selectFrom('termmeta')
    .where('meta_key', 'in', metaKeysOf(plugin))
    .where('meta_value', 'not in', EMPTY_VALUES)
    .select('term_id as id')
    .distinct()
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Meta keys with the fields of a plugin. */
function metaKeysOf({ places }: LegacyPlugin): string[] {
  return [...new Set(Object.keys(places).map((place) => place.split('.')[0] ?? ''))]
}
