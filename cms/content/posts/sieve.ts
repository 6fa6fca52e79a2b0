import { setImmediate as turn } from 'node:timers/promises'
import type { ContentParts } from '../parts.ts'
import { matches } from '../search/matches.ts'
import { type Question, readQuestion } from '../search/question.ts'
import type { Post, PostQuery } from '../types.ts'
import { placeOf } from './filters.ts'

/** Number of posts beyond the page that are checked for the total of a search: each may have to be rendered. */
const COUNTED_OF_SEARCH = 100

/** Excludes what the database cannot evaluate: posts that the user cannot read, and matches that a search must not reveal. */
export interface Sieve {
  /**
   * Whether excluded words are checked here instead of by the index, which includes hidden text: excluding a post because of it would
   * reveal the word.
   */
  readonly looksForUnwanted: boolean
  /** Maximum number of posts beyond the page that are counted; `undefined` for the default. */
  readonly counted: number | undefined
  pick(posts: readonly Post[]): Promise<Post[]>
}

/**
 * Filters for a query of a reader that the database cannot evaluate; `undefined` if none are needed. The index contains the stored words,
 * by which editors find a post. Text that extensions hide must not be searchable for others, so matches are compared with the public text.
 * That works immediately when an extension is activated, without reindexing.
 */
export function sieveOf(
  { readers, publicText }: Pick<ContentParts, 'readers' | 'publicText'>,
  {
    readableBy: user,
    types,
    search = '',
    searchColumns,
  }: Pick<PostQuery, 'readableBy' | 'types' | 'search' | 'searchColumns'>,
  any = false,
): Sieve | undefined {
  if (user === undefined) return undefined
  const question = search.trim() === '' || !publicText().mayHide() ? undefined : readQuestion(search, any)
  if (!question && readers.isByStatus(types)) return undefined

  async function confirms(asked: Question, post: Post): Promise<boolean> {
    if (user && (await readers.mayEdit(post, user))) return matches(asked, textOf(post, post), placeOf(searchColumns))
    await turn()
    return matches(asked, textOf(post, await publicText().searchable(post)), placeOf(searchColumns))
  }

  function textOf({ title, password }: Post, { content, excerpt }: { content: string; excerpt: string }) {
    const has = (column: 'content' | 'excerpt') => !searchColumns?.length || searchColumns.includes(column)
    const texts = password === '' ? [has('excerpt') ? excerpt : '', has('content') ? content : ''] : []
    return { title, content: texts.join('\n') }
  }

  return {
    looksForUnwanted: question !== undefined,
    counted: question && COUNTED_OF_SEARCH,
    async pick(posts) {
      const readable = await readers.readable(posts, user)
      if (!question) return readable
      const confirmed: Post[] = []
      for (const post of readable) if (await confirms(question, post)) confirmed.push(post)
      return confirmed
    },
  }
}
