import { type ExtensionHost, loadLanguages, type Post, plainText, RestError, termWeights } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { type Neighbour, neighboursByVectors, neighboursByWords, type Terms, termsToText } from './neighbours.ts'
import type { Pairs } from './pairs.ts'
import type { RelatedDatabase } from './tables.ts'
import { type SmallVector, shrink, toBase64 } from './vectors.ts'

/** Characters of a post that a model gets: what it is about is said by then. */
const LONGEST_TEXT = 6000
/** Milliseconds for which a provider that failed is left alone. */
const REST_MS = 600_000

/** The source of what was compared by its words. */
const WORDS = 'words'

/** Compares published posts with all others, and keeps which are alike. */
export interface Compare {
  /** What posts are compared by: `openai/text-embedding-3-small`. `undefined`: by their words, as no model is there now. */
  model(): string | undefined
  posts(posts: readonly Post[], signal: AbortSignal): Promise<void>
}

interface ReadPost {
  readonly post: Post
  readonly text: string
  readonly terms: Terms
}

export function createCompare(
  host: Pick<ExtensionHost, 'content' | 'log'>,
  { db, pairs, providers }: { db: RelatedDatabase; pairs: Pairs; providers: Pick<Providers, 'choices' | 'embeddings'> },
): Compare {
  const { content, log } = host
  /** Until then the provider is left alone. */
  let restsUntil = 0

  function model(): string | undefined {
    const { embedding } = providers.choices()
    return embedding && Date.now() >= restsUntil ? `${embedding.provider}/${embedding.model}` : undefined
  }

  async function read(post: Post): Promise<ReadPost> {
    const [text, tellLanguage] = await Promise.all([content.renderText(post), loadLanguages()])
    const title = plainText(content.renderTitle(post))
    const language = tellLanguage(text, content.siteSettings().language)
    return { post, text: `${title}\n\n${text}`, terms: termWeights({ title, headings: '', text }, language) }
  }

  /** On the accounts of those who wrote them. `undefined`: there is no model that answers now. */
  async function vectorsOf(
    read: readonly ReadPost[],
    signal: AbortSignal,
  ): Promise<Map<number, SmallVector> | undefined> {
    if (model() === undefined) return undefined
    const vectors = new Map<number, SmallVector>()
    try {
      for (const [userId, group] of Map.groupBy(read, ({ post }) => post.authorId)) {
        const texts = group.map(({ text }) => text.slice(0, LONGEST_TEXT).toWellFormed())
        const answer = await providers.embeddings({ operation: 'related-posts', userId, texts, signal })
        for (const [at, { post }] of group.entries()) vectors.set(post.id, shrink(answer.vectors[at] ?? []))
      }
      return vectors
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      restsUntil = Date.now() + REST_MS
      log.warn({ code: error.code }, 'no model compares posts now, their words do')
      return undefined
    }
  }

  async function keep({ post, terms }: ReadPost, from: string, vector: SmallVector | undefined): Promise<void> {
    const row = {
      modified_gmt: post.modifiedGmt.replace('T', ' '),
      source: from,
      terms: termsToText(terms),
      vector: vector ? toBase64(vector) : '',
    }
    // Whether it waits again is not ours to say: it may have been saved since it was read.
    await db.updateTable('ai_related_posts').set(row).where('post_id', '=', post.id).execute()
  }

  async function byWords(all: readonly ReadPost[]): Promise<Map<number, Neighbour[]>> {
    const found = new Map<number, Neighbour[]>()
    for (const one of all) found.set(one.post.id, await neighboursByWords(host, db, one))
    return found
  }

  return {
    model,
    async posts(posts, signal) {
      const all = await Promise.all(posts.map(read))
      const from = model() ?? WORDS
      const vectors = await vectorsOf(all, signal)
      for (const one of all) await keep(one, vectors ? from : WORDS, vectors?.get(one.post.id))
      await pairs.put(vectors ? await neighboursByVectors(db, from, vectors) : await byWords(all))
    },
  }
}
