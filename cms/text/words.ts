import { deprecate } from 'node:util'
/** One word of a text. */
export interface Word {
  /** As written in the text. */
  readonly text: string
  /** In lower case, as word lists have it. */
  readonly folded: string
  /** The stem, which is the same for all forms of the word: without plural and similar endings. */
  readonly term: string
  /** Offsets in the text. */
  readonly start: number
  readonly end: number
}

/** Created on its first use: ICU loads its rules. */
let segmenter: Intl.Segmenter | undefined

/** Splits where no blanks are too: Chinese, Japanese, Thai (Unicode's UAX 29, with ICU's dictionaries). */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return segmenter.segment(text)
}

/** The words of a text in order; numbers and punctuation with letters in them count as words, all else does not. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { segment, index, isWordLike } of segmentsOf(text)) {
    if (!isWordLike) continue
    const folded = segment.normalize('NFKC').toLowerCase()
    words.push({ text: segment, folded, term: toTerm(folded), start: index, end: index + segment.length })
  }
  return words
}

export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmentsOf(text)) if (isWordLike) count++
  return count
}

/** Whether a word is a content word: not a number, a single letter, or a particle. */
export function isContentWord(term: string): boolean {
  return !/^(?:[\p{N}\p{P}]*|.|\p{Script=Hiragana}{1,3})$/u.test(term) && term.length <= LONGEST
}

/** @deprecated Use `isContentWord`. */
export const isTelling = deprecate(isContentWord, 'isTelling was renamed to isContentWord.', 'PENTAD_IS_TELLING')

/** Characters of a word; longer ones are codes and addresses. */
const LONGEST = 60

function toTerm(folded: string): string {
  if (/^\p{Script=Arabic}/u.test(folded)) return folded.replace(MARKS, '').replace(ARTICLE, '')
  return /^\p{Script=Latin}/u.test(folded) ? withoutPlural(folded.replace(/['’]s$/, '')) : folded
}

/** Arabic vowel marks and the elongation stroke; the article with its prefixes. */
const MARKS = /[\u0640\u064b-\u065f\u0670]/g
const ARTICLE = /^[وفبك]?ال(?=\p{L}{2})/u

/**
 * Takes the ending of a plural away (D. Harman, "How effective is suffixing?", 1991): right for English, and harmless
 * in the other languages with Latin letters, as both forms of a word lose it.
 */
function withoutPlural(word: string): string {
  if (word.length < 4) return word
  if (/(?<![ae])ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /(?<![ius])s$/.test(word) ? word.slice(0, -1) : word
}
