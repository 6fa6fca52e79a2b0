import type { Auth, Content, Database, Meta } from 'pentad'
import { createFieldImport } from './import-fields.ts'
import { readLegacyFields } from './read-fields.ts'
import { redirectOf } from './redirects.ts'
import { postIds, termIds } from './stored.ts'
import type { Tally } from './tally.ts'
import type { LegacyOptions, LegacyPlugin, LegacyRedirect } from './types.ts'
import { placeOf } from './write-out.ts'

/** Number of posts or terms loaded at once. */
const BATCH = 100

interface Parts {
  readonly plugin: LegacyPlugin
  readonly options: LegacyOptions
  readonly dryRun: boolean
  readonly overwrite: boolean
  readonly tally: Tally
  onProgress?(done: number, total: number): void
}

/** Number of posts or terms with data of the plugin, and of those that were changed. */
export interface Count {
  readonly found: number
  readonly changed: number
}

export interface MigratedItems {
  readonly posts: Count
  readonly terms: Count
  /** Redirects that the plugin stores in posts. */
  readonly redirects: readonly LegacyRedirect[]
  /** Progress, to resume: number of processed posts and terms; `undefined` when complete. */
  readonly next: number | undefined
}

/**
 * Imports the data of a plugin for posts and terms. @param stretch where to start, and when to stop until the next tick
 */
export async function migrateItems(
  { content, users, database }: { content: Content; users: Auth['users']; database: Database },
  { onProgress, ...parts }: Parts,
  { from = 0, isOver = () => false }: { from?: number; isOver?: () => boolean } = {},
): Promise<MigratedItems> {
  const { plugin, options, tally } = parts
  const importFields = createFieldImport(content, plugin, parts)
  const redirects: LegacyRedirect[] = []
  const optionTerms = new Map(plugin.terms?.(options).map((term) => [term.id, term]))
  const ids = {
    post: await postIds(database, plugin),
    term: [...new Set([...(await termIds(database, plugin)), ...optionTerms.keys()])],
  }
  const total = ids.post.length + ids.term.length
  let done = from

  async function each<Thing>(
    kind: 'post' | 'term',
    things: { getMany(ids: readonly number[]): Promise<Map<number, Thing>> },
    migrate: (thing: Thing | undefined, id: number, meta: Meta) => Promise<boolean>,
  ): Promise<Count> {
    let changed = 0
    const before = kind === 'post' ? 0 : ids.post.length
    while (done - before < ids[kind].length && !(done > from && isOver())) {
      const some = ids[kind].slice(done - before, done - before + BATCH)
      const found = await things.getMany(some)
      for (const [id, meta] of await content.meta.of(kind, some)) {
        if (await migrate(found.get(id), id, meta)) changed++
        onProgress?.(++done, total)
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
    return importFields({ ...place, kind: 'post', id, subtype: post.type, meta }, fields)
  })
  const terms = await each('term', content.terms, async (term, id, meta) => {
    const inOptions = optionTerms.get(id)
    // The same ID may belong to a different term on this site.
    if (!term || (inOptions && inOptions.taxonomy !== term.taxonomy)) {
      tally.miss('terms that do not exist on this site')
      return false
    }
    const fields = { ...inOptions?.fields, ...readLegacyFields(plugin, meta, options) }
    const place = { isTerm: true, writeOut: async () => undefined }
    return importFields({ ...place, kind: 'term', id, subtype: term.taxonomy, meta }, fields)
  })
  return { posts, terms, redirects, next: done < total ? done : undefined }
}
