import type { Language } from './language.ts'
import { isContentWord, wordsOf } from './words.ts'

/** Maximum number of terms of a post; further ones have little weight. */
const MOST_TERMS = 25
/** Factor for words in the title or a heading. */
const IN_TITLE = 4
const IN_HEADING = 2
/** Maximum number of characters of a text, and of a title, that are processed. */
const LONGEST = 100_000
const LONGEST_TITLE = 2000

/**
 * The characteristic terms of a text, with higher weights for title and headings, as a vector of length 1. Stop words of its language are
 * excluded.
 */
export function termWeights(
  { title, headings, text }: { title: string; headings: string; text: string },
  language: Language,
): Map<string, number> {
  const counts = new Map<string, number>()
  function count(words: string, times: number): void {
    for (const { term, folded } of wordsOf(words)) {
      if (isContentWord(term) && !language.isCommon(folded)) counts.set(term, (counts.get(term) ?? 0) + times)
    }
  }
  count(title.slice(0, LONGEST_TITLE), IN_TITLE)
  // Those in headings are in the text too.
  count(headings.slice(0, LONGEST), IN_HEADING - 1)
  count(text.slice(0, LONGEST), 1)

  const terms = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_TERMS)
    .map(([term, times]): [string, number] => [term, 1 + Math.log(times)])
  const length = Math.hypot(...terms.map(([, weight]) => weight))
  return new Map(terms.map(([term, weight]) => [term, weight / length]))
}
