import type { Language } from './detect-language.ts'
import { isContentWord, wordsOf } from './words.ts'

/** Maximum number of terms of a post; further ones have little weight. */
const MOST_TERMS = 25
/** Factor for words in the title or a heading. */
const IN_TITLE = 4
const IN_HEADING = 2
/** Maximum number of characters of a text, and of a title, that are processed. */
const LONGEST = 100_000
const LONGEST_TITLE = 2000
/** Characters that no word contains, like spaces. Others that look like blanks, such as U+FEFF, do not end a word. */
const BLANK = /[\t\r\n]/g

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
    const parts = new Map<string, number>()
    for (const part of words.replace(BLANK, ' ').split(' ')) parts.set(part, (parts.get(part) ?? 0) + times)
    const occurrences = parts.entries()
    let [end, total] = [0, 0]
    // Most words occur several times, but only one occurrence is segmented.
    for (const { term, folded, start } of wordsOf([...parts.keys()].join(' '))) {
      while (start >= end) {
        const [part = '', times] = occurrences.next().value ?? []
        end += part.length + 1
        total = times ?? 0
      }
      if (isContentWord(term) && !language.isCommon(folded)) counts.set(term, (counts.get(term) ?? 0) + total)
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
