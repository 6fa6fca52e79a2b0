import type { Question, SearchPlace, Term } from './question.ts'
import { textOfHtml, toWords, withinLimits } from './words.ts'

/** A post as a question is compared with it. */
export interface SearchedText {
  /** HTML. */
  readonly title: string
  /** Plain text of content and excerpt. */
  readonly content: string
}

/** Whether a search phrase matches a text, by the same rules as the index of the database. */
export function matches(question: Question, text: SearchedText, place?: SearchPlace): boolean {
  const columns = [
    ...(place === 'content' ? [] : [withinLimits(toWords(textOfHtml(text.title)))]),
    ...(place === 'title' ? [] : [withinLimits(toWords(text.content))]),
  ]
  const has = (term: Term) => columns.some((words) => hasPhrase(words, term))
  const isWanted = question.any ? question.wanted.some(has) : question.wanted.every(has)
  return isWanted && !question.unwanted.some(has)
}

function hasPhrase(words: readonly string[], { words: phrase, beginning }: Term): boolean {
  const last = phrase.length - 1
  return words.some((_, start) =>
    phrase.every((wanted, at) => {
      const word = words[start + at]
      return beginning && at === last ? word?.startsWith(wanted) === true : word === wanted
    }),
  )
}
