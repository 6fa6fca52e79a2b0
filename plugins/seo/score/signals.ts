import { countWords, isContentWord, type Language, type ResponseOf, wordsOf } from 'pentad'
import { z } from 'zod'
import type { Passage, Passages } from './passages.ts'
import { beginsWithReference, endsWithQuestionMark, isQuestion } from './phrases.ts'

const SIGNALS = ['passageSize', 'selfContained', 'questionHeadings', 'answerFirst', 'listsAndTables'] as const
export type SignalId = (typeof SIGNALS)[number]

export const signalShape = z.object({
  ...{ id: z.enum(SIGNALS), points: z.literal([0, 1, 2]), maximum: z.literal(2), explanation: z.string() },
  examples: z.array(z.string()).describe('Passages of the text that raise or lower the score.'),
})

/** One of five signals by which answer engines select passages. */
export type Signal = ResponseOf<typeof signalShape>

/** Number of words of a quotable passage, and of an opening that answers the title. */
const PASSAGE = { from: 40, to: 220 }
const OPENING = { from: 20, to: 80 }
/** Shares of passages and headings required for points. */
const MOST = 0.7
const SOME = 0.4
const QUESTIONS = 0.3
/** Number of title keywords required in the opening, or all of a short title. */
const TITLE_WORDS = 2
const MOST_EXAMPLES = 3
const LONGEST_EXAMPLE = 120

/** Input of the score. */
export interface Scored extends Passages {
  readonly title: string
  readonly language: Language
}

export function scoreSignals(scored: Scored): Signal[] {
  const written = scored.passages.filter(({ words }) => words > 0)
  return [
    passageSize(written),
    selfContained(written, scored.language),
    questionHeadings(scored),
    answerFirst(written, scored),
    listsAndTables(scored),
  ]
}

function passageSize(passages: readonly Passage[]): Signal {
  const other = passages.filter(({ words }) => words < PASSAGE.from || words > PASSAGE.to)
  const right = passages.length - other.length
  return {
    ...{ id: 'passageSize', points: byShare(right, passages.length), maximum: 2 },
    explanation: `Sections with ${PASSAGE.from} to ${PASSAGE.to} words: ${right} of ${passages.length}.`,
    examples: examplesOf(other, ({ heading, text, words }) => `${cut(heading || text)} (${words} words)`),
  }
}

function selfContained(passages: readonly Passage[], language: Language): Signal {
  const judged = passages.map((passage) => ({ passage, isBound: beginsWithReference(passage.text, language.code) }))
  const bound = judged.filter(({ isBound }) => isBound === true)
  const isKnown = judged.every(({ isBound }) => isBound !== undefined)
  const right = isKnown ? passages.length - bound.length : 0
  return {
    ...{ id: 'selfContained', points: byShare(right, passages.length), maximum: 2 },
    explanation: isKnown
      ? `Sections that start without a reference to earlier text: ${right} of ${passages.length}.`
      : 'This check is not available in the language of this text.',
    examples: examplesOf(bound, ({ passage }) => cut(passage.text)),
  }
}

function questionHeadings({ passages, language }: Scored): Signal {
  const headings = passages.map(({ heading }) => heading).filter((heading) => heading !== '')
  const questions = headings.filter((heading) => isQuestion(heading, language.code))
  const isMany = questions.length > 0 && questions.length >= headings.length * QUESTIONS
  return {
    ...{ id: 'questionHeadings', points: isMany ? 2 : questions.length > 0 ? 1 : 0, maximum: 2 },
    explanation: `Headings that are questions: ${questions.length} of ${headings.length}.`,
    examples: examplesOf(questions, cut),
  }
}

function answerFirst(passages: readonly Passage[], { title, language }: Scored): Signal {
  const opening = passages[0]?.firstParagraph ?? ''
  const words = countWords(opening)
  const isStatement = words >= OPENING.from && words <= OPENING.to && !endsWithQuestionMark(opening)
  const asked = new Set(
    wordsOf(title)
      .filter(({ term, folded }) => isContentWord(term) && !language.isCommon(folded))
      .map(({ term }) => term),
  )
  const mentioned = asked.intersection(new Set(wordsOf(opening).map(({ term }) => term)))
  const isOnTopic = asked.size > 0 && mentioned.size >= Math.min(TITLE_WORDS, asked.size)
  const size = `The first paragraph has ${words} words`
  const topic = `mentions ${mentioned.size} of the ${asked.size} keywords in the title`
  return {
    ...{ id: 'answerFirst', points: isStatement && isOnTopic ? 2 : isStatement || isOnTopic ? 1 : 0, maximum: 2 },
    explanation: `${size}; a statement of ${OPENING.from} to ${OPENING.to} words works best. It ${topic}.`,
    examples: opening === '' ? [] : [cut(opening)],
  }
}

function listsAndTables({ structures }: Scored): Signal {
  const lists = structures.filter(({ kind }) => kind === 'list').length
  const tables = structures.length - lists
  return {
    ...{ id: 'listsAndTables', points: structures.length > 1 ? 2 : structures.length === 1 ? 1 : 0, maximum: 2 },
    explanation: `The text has ${lists} ${lists === 1 ? 'list' : 'lists'} and ${tables} ${tables === 1 ? 'table' : 'tables'}.`,
    examples: examplesOf(structures, ({ text }) => cut(text)),
  }
}

function byShare(right: number, all: number): 0 | 1 | 2 {
  if (right === 0) return 0
  return right >= all * MOST ? 2 : right >= all * SOME ? 1 : 0
}

function examplesOf<Item>(items: readonly Item[], write: (item: Item) => string): string[] {
  return items.slice(0, MOST_EXAMPLES).map(write)
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST_EXAMPLE ? text : `${characters.slice(0, LONGEST_EXAMPLE).join('')}…`
}
