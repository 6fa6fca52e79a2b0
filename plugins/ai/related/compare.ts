import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type ExtensionHost, loadLanguages, type Post, plainText, RestError, termWeights } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { neighborsByVectors, type Seeker } from './by-vectors.ts'
import { neighborsByWords, type Terms, termsToText } from './by-words.ts'
import type { Neighbor } from './neighbors.ts'
import type { Pairs } from './pairs.ts'
import type { ComparedTable, RelatedDatabase } from './tables.ts'
import { type SmallVector, shrink, toBase64 } from './vectors.ts'

/** Maximum length of a post sent to the model: the topic is clear by then, and small models read no more. */
const LONGEST_TEXT = 2000
/** Timeout of a model call for a batch, in ms. */
const PATIENCE_MS = 60_000
/** Time before a failed provider is used again, in ms. */
const REST_MS = 600_000

/** Source of keyword comparisons. */
const WORDS = 'words'

/** Compares published posts and stores which are similar. Yields after each post, because SQLite is synchronous. */
export interface Compare {
  /** The model in use: `openai/text-embedding-3-small`. `undefined`: keywords, because no model is available. */
  model(): string | undefined
  posts(posts: readonly Post[]): Promise<void>
}

/** Comparison data of a post. */
type Compared = Pick<ComparedTable, 'source' | 'terms' | 'vector'>

interface ReadPost {
  readonly post: Post
  /** Title and content. */
  readonly text: string
  readonly textHash: string
}

export function createCompare(
  host: Pick<ExtensionHost, 'content' | 'log' | 'signal'>,
  { db, pairs, providers }: { db: RelatedDatabase; pairs: Pairs; providers: Pick<Providers, 'choices' | 'embeddings'> },
): Compare {
  const { content, log } = host
  /** The provider is not used until then. */
  let restsUntil = 0

  function model(): string | undefined {
    const { embedding } = providers.choices()
    return embedding && Date.now() >= restsUntil ? `${embedding.provider}/${embedding.model}` : undefined
  }

  async function read(post: Post): Promise<ReadPost> {
    await turn()
    // Posts that are not public are neither sent to a model nor related.
    if (!(await content.canRead(post, null))) return { post, text: '', textHash: '' }
    const text = `${plainText(content.renderTitle(post))}\n\n${await content.publicText(post)}`
    return { post, text, textHash: hash('sha256', text, 'base64url') }
  }

  async function termsOf({ post, text }: ReadPost): Promise<Terms> {
    await turn()
    const detectLanguage = await loadLanguages()
    const language = detectLanguage(text, content.siteSettings().language)
    return termWeights({ title: plainText(content.renderTitle(post)), headings: '', text }, language)
  }

  /** Posts whose text or source has changed since the comparison. */
  async function unsettled(all: readonly ReadPost[], wanted: string | undefined): Promise<ReadPost[]> {
    const ids = all.map(({ post }) => post.id)
    const rows = await db
      .selectFrom('ai_related_posts')
      .select(['post_id', 'text_hash', 'source'])
      .where('post_id', 'in', ids)
      .execute()
    const known = new Map(rows.map((row) => [row.post_id, row]))
    return all.filter(({ post, textHash }) => {
      const row = known.get(post.id)
      return row?.text_hash !== textHash || (wanted !== undefined && row.source !== wanted)
    })
  }

  /** Billed to the authors of the posts. `undefined` if the model is not available. */
  async function vectorsOf(asked: readonly ReadPost[]): Promise<Map<number, SmallVector> | undefined> {
    const vectors = new Map<number, SmallVector>()
    const signal = AbortSignal.any([host.signal, AbortSignal.timeout(PATIENCE_MS)])
    try {
      for (const [userId, group] of Map.groupBy(asked, ({ post }) => post.authorId)) {
        const texts = group.map(({ text }) => text.slice(0, LONGEST_TEXT).toWellFormed())
        const result = await providers.embeddings({ operation: 'related-posts', userId, texts, signal })
        for (const [at, { post }] of group.entries()) vectors.set(post.id, shrink(result.vectors[at] ?? []))
      }
      return vectors
    } catch (error) {
      const isRefused = error instanceof RestError
      if (!isRefused && !signal.aborted) throw error
      host.signal.throwIfAborted()
      restsUntil = Date.now() + REST_MS
      log.warn(
        { code: isRefused ? error.code : 'timeout' },
        'embedding model failed, using keyword matching for related posts',
      )
      return undefined
    }
  }

  /** Does not reset the pending flag: the post may have been saved since it was read. */
  async function keep({ post, textHash }: ReadPost, compared: Partial<Compared> = {}): Promise<void> {
    const row = { text_hash: textHash, modified_gmt: post.modifiedGmt.replace('T', ' '), ...compared }
    await db.updateTable('ai_related_posts').set(row).where('post_id', '=', post.id).execute()
  }

  async function byVectors(
    asked: readonly ReadPost[],
    source: string,
    vectors: ReadonlyMap<number, SmallVector>,
  ): Promise<Map<number, Neighbor[]>> {
    const seekers: Seeker[] = []
    for (const one of asked) {
      const { id } = one.post
      const vector = vectors.get(id)
      if (!vector) continue
      await keep(one, { source, vector: toBase64(vector), terms: termsToText(await termsOf(one)) })
      seekers.push({ id, vector, finders: await pairs.findersOf(id) })
    }
    return neighborsByVectors(db, source, seekers)
  }

  async function byWords(asked: readonly ReadPost[]): Promise<Map<number, Neighbor[]>> {
    const found = new Map<number, Neighbor[]>()
    for (const one of asked) {
      const terms = await termsOf(one)
      await keep(one, { source: WORDS, vector: '', terms: termsToText(terms) })
      const finders = await pairs.findersOf(one.post.id)
      found.set(one.post.id, await neighborsByWords(host, db, { ...one, terms, finders }))
    }
    return found
  }

  return {
    model,
    async posts(posts) {
      const all: ReadPost[] = []
      for (const post of posts) all.push(await read(post))
      const source = model()
      let asked = await unsettled(all, source)
      const closed = asked.filter(({ text }) => text === '')
      for (const one of closed) await keep(one, { source: source ?? WORDS, terms: '[]', vector: '' })
      if (closed.length > 0) await pairs.put(new Map(closed.map(({ post }) => [post.id, []])))
      asked = asked.filter((one) => !closed.includes(one))
      const vectors = source !== undefined && asked.length > 0 ? await vectorsOf(asked) : undefined
      if (source !== undefined && !vectors) asked = (await unsettled(all, undefined)).filter(({ text }) => text !== '')
      if (asked.length > 0)
        await pairs.put(
          source !== undefined && vectors ? await byVectors(asked, source, vectors) : await byWords(asked),
        )
      // For the others, only the modification time has changed.
      for (const one of all) if (!asked.includes(one) && !closed.includes(one)) await keep(one)
    },
  }
}
