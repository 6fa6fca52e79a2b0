import { setImmediate as turn } from 'node:timers/promises'
import type { ContentParts } from '../parts.ts'
import { matches } from '../search/matches.ts'
import { type Question, readQuestion } from '../search/question.ts'
import type { Post, PostQuery } from '../types.ts'
import { placeOf } from './filters.ts'

/** How many posts beyond the page are looked at for the total of a search: each of them may have to be rendered. */
const COUNTED_OF_SEARCH = 100

/** Leaves out what the database cannot know of: posts that are not for the reader, and what a search must not confirm. */
export interface Sieve {
  /**
   * Whether words that must not be there are looked for here and not by the index: it knows hidden ones too, and a post
   * that is missing for one of them would confirm it.
   */
  readonly looksForUnwanted: boolean
  /** How many posts beyond the page are counted at most; `undefined` is as many as usual. */
  readonly counted: number | undefined
  pick(posts: readonly Post[]): Promise<Post[]>
}

/**
 * What a query for a reader needs beyond the database; `undefined` where the rows are right as they are.
 *
 * The index holds the words as they are stored, so that who edits a post finds it by them. What extensions hide must not
 * be found by others, so whatever the index finds is compared with what visitors read. That is right from the moment in
 * which an extension starts, without an index of its own to be brought up to date.
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
