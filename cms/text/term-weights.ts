import type { Language } from './language.ts'
import { isTelling, wordsOf } from './words.ts'

/** Words that stand for a post; more of them say little more. */
const MOST_TERMS = 25
/** How often a word of the title or a heading counts. */
const IN_TITLE = 4
const IN_HEADING = 2
/** Characters of a text that are looked at, and of a title. */
const LONGEST = 100_000
const LONGEST_TITLE = 2000

/**
 * What a text is about: the words that stand out in it, most in title and headings, with weights that make a vector of
 * length 1. Words that every text of its language has are none of them.
 */
export function termWeights(
  { title, headings, text }: { title: string; headings: string; text: string },
  language: Language,
): Map<string, number> {
  const counts = new Map<string, number>()
  function count(words: string, times: number): void {
    for (const { term, folded } of wordsOf(words)) {
      if (isTelling(term) && !language.isCommon(folded)) counts.set(term, (counts.get(term) ?? 0) + times)
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
