import type { Auth, Content, Database, Meta } from 'pentad'
import { readLegacyFields } from './read-fields.ts'
import { redirectOf } from './redirects.ts'
import { postIds, termIds } from './stored.ts'
import { createTakeOver } from './take-over.ts'
import type { Tally } from './tally.ts'
import type { LegacyOptions, LegacyPlugin, LegacyRedirect } from './types.ts'
import { placeOf } from './write-out.ts'

/** Posts or terms that are read together. */
const BATCH = 200

interface Parts {
  readonly plugin: LegacyPlugin
  readonly options: LegacyOptions
  readonly dryRun: boolean
  readonly overwrite: boolean
  readonly tally: Tally
  onProgress(done: number, total: number): void
}

/** Takes over what a plugin says about posts and terms; answers the redirects that it keeps there, too. */
export async function migrateThings(
  { content, users, database }: { content: Content; users: Auth['users']; database: Database },
  { onProgress, ...parts }: Parts,
): Promise<{ posts: Count; terms: Count; redirects: LegacyRedirect[] }> {
  const { plugin, options, tally } = parts
  const takeOver = createTakeOver(content, plugin, parts)
  const redirects: LegacyRedirect[] = []
  const optionTerms = new Map(plugin.terms?.(options).map((term) => [term.id, term]))
  const ids = {
    post: await postIds(database, plugin),
    term: [...new Set([...(await termIds(database, plugin)), ...optionTerms.keys()])],
  }
  let done = 0

  async function each<Thing>(
    kind: 'post' | 'term',
    things: { getMany(ids: readonly number[]): Promise<Map<number, Thing>> },
    migrate: (thing: Thing | undefined, id: number, meta: Meta) => Promise<boolean>,
  ): Promise<Count> {
    let changed = 0
    for (let start = 0; start < ids[kind].length; start += BATCH) {
      const some = ids[kind].slice(start, start + BATCH)
      const found = await things.getMany(some)
      for (const [id, meta] of await content.meta.of(kind, some)) {
        if (await migrate(found.get(id), id, meta)) changed++
        onProgress(++done, ids.post.length + ids.term.length)
      }
    }
    return { found: ids[kind].length, changed }
  }

  const posts = await each('post', content.posts, async (post, id, meta) => {
    if (!post) return false
    const fields = readLegacyFields(plugin, meta, options)
    const redirect = redirectOf(plugin, post, fields)
    if (redirect) redirects.push(redirect)
    const place = placeOf(post, { content, users, meta })
    return takeOver({ ...place, kind: 'post', id, subtype: post.type, meta }, fields)
  })
  const terms = await each('term', content.terms, async (term, id, meta) => {
    const inOptions = optionTerms.get(id)
    // An id of the old site may be another term's here.
    if (!term || (inOptions && inOptions.taxonomy !== term.taxonomy)) {
      tally.miss('a term that is not here')
      return false
    }
    const fields = { ...inOptions?.fields, ...readLegacyFields(plugin, meta, options) }
    const place = { isTerm: true, writeOut: async () => undefined }
    return takeOver({ ...place, kind: 'term', id, subtype: term.taxonomy, meta }, fields)
  })
  return { posts, terms, redirects }
}

/** Posts or terms with data of the plugin, and those of them that take over some of it. */
export interface Count {
  readonly found: number
  readonly changed: number
}
