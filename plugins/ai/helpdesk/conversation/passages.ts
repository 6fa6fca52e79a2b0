import { isContentWord, type Language, wordsOf } from 'pentad'
import { cutText } from '../../cut-text.ts'

/** Target length of a passage; a long sentence is kept whole up to the second number. */
const LENGTH = 900
const LONGEST = 1500
/** Maximum length of a post that is searched. */
const LONGEST_POST = 30_000

/** Created on its first use: ICU loads its rules. */
let sentences: Intl.Segmenter | undefined

/** A passage with the search terms that it contains. */
export interface Passage {
  readonly text: string
  readonly found: ReadonlySet<string>
}

/** Keywords of a question, by their stem. */
export function topicOf(question: string, language: Language): Map<string, string> {
  const meaningful = wordsOf(question).filter(({ term, folded }) => isContentWord(term) && !language.isCommon(folded))
  return new Map(meaningful.map(({ term, folded }) => [term, folded]))
}

/** Splits a text into passages at sentence boundaries. */
export function cutPassages(text: string, terms: ReadonlySet<string>): Passage[] {
  const parts: string[] = []
  let part = ''
  sentences ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  for (const { segment } of sentences.segment(text.slice(0, LONGEST_POST).toWellFormed())) {
    if (part !== '' && part.length + segment.length > LENGTH) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return [...parts, part]
    .filter((one) => one.trim() !== '')
    .map((one) => ({
      text: cutText(one.trim(), LONGEST),
      found: new Set(wordsOf(one).map(({ term }) => term)).intersection(terms),
    }))
}
