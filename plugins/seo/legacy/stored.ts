import type { Database } from 'pentad'
import type { LegacyPlugin } from './types.ts'

/** What the plugins write into meta where nobody filled in anything; JSON text. */
const EMPTY_VALUES = ['""', '"0"', '0', 'null', 'false', '[]', '{}']

/** Ids of the posts with data of a plugin. Versions of a post and what an editor left behind do not count. */
function postsWith({ db }: Pick<Database, 'db'>, plugin: LegacyPlugin) {
  return db
    .selectFrom('postmeta')
    .innerJoin('posts', 'posts.id', 'postmeta.post_id')
    .where('meta_key', 'in', metaKeysOf(plugin))
    .where('meta_value', 'not in', EMPTY_VALUES)
    .where('type', '!=', 'revision')
    .where('status', '!=', 'auto-draft')
}

/** How many posts have data of a plugin; its redirects that are kept as posts do not count. */
export async function countPosts(database: Pick<Database, 'db'>, plugin: LegacyPlugin): Promise<number> {
  const { posts } = await postsWith(database, plugin)
    .where('type', '!=', plugin.redirectType ?? '')
    .select(({ fn }) => fn.count<number>('post_id').distinct().as('posts'))
    .executeTakeFirstOrThrow()
  return posts
}

/** Ids of the posts that have data of a plugin, its redirects that are posts among them. */
export async function postIds(database: Pick<Database, 'db'>, plugin: LegacyPlugin): Promise<number[]> {
  const rows = await postsWith(database, plugin).select('post_id as id').distinct().orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Ids of the terms that have data of a plugin in their meta. */
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

/** Meta keys that hold the fields of a plugin. */
function metaKeysOf({ places }: LegacyPlugin): string[] {
  return [...new Set(Object.keys(places).map((place) => place.split('.')[0] ?? ''))]
}
