import { isTelling, type Language, wordsOf } from 'pentad'
import { cutText } from '../../cut-text.ts'

/** Characters of a passage: what says enough to answer from. A longer sentence stays whole up to the second number. */
const LENGTH = 900
const LONGEST = 1500
/** Characters of a post that are looked at. */
const LONGEST_POST = 30_000

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** A part of a text, and which of the terms that were asked for are in it. */
export interface Passage {
  readonly text: string
  readonly found: ReadonlySet<string>
}

/** What a question is about: its telling words as they stand in it, by the form in which they are the same elsewhere. */
export function topicOf(question: string, language: Language): Map<string, string> {
  const telling = wordsOf(question).filter(({ term, folded }) => isTelling(term) && !language.isCommon(folded))
  return new Map(telling.map(({ term, folded }) => [term, folded]))
}

/** Cuts a text into passages, between sentences. */
export function cutPassages(text: string, terms: ReadonlySet<string>): Passage[] {
  const parts: string[] = []
  let part = ''
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
