import type { Typography } from './typography.ts'

const APOSTROPHE = '&#8217;'
const EN_DASH = '&#8211;'
const EM_DASH = '&#8212;'
const PRIME = '&#8242;'
const DOUBLE_PRIME = '&#8243;'

const SPACE = '[\\r\\n\\t ]|\\u00a0|&nbsp;'
/** What may follow a closing quotation mark. */
const AFTER = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${SPACE})`

/** Placeholders for characters until all are recognized. They begin with `<`, so they cannot occur in text. */
const APOSTROPHE_MARK = '<a'
const OPENING_SINGLE_MARK = '<s'
const OPENING_DOUBLE_MARK = '<d'
const UNCERTAIN_MARK = '<u'

const WORDS: readonly (readonly [typed: string, set: string])[] = [
  ['...', '&#8230;'],
  ['``', '<opening>'],
  ["''", '<closing>'],
  [' (tm)', ' &#8482;'],
  ...["'tain't", "'twere", "'twas", "'tis", "'twill", "'til", "'bout", "'nuff", "'round", "'cause", "'em"].map(
    (word) => [word, word.replaceAll("'", APOSTROPHE)] as const,
  ),
]

const ABBREVIATED_YEAR = new RegExp(`'(\\d\\d)(['"])${AFTER}`, 'g')
const YEAR = /'(?=\d\d(?:$|(?![%\d]|[.,]\d)))/g
const NUMBER_IN_SINGLE = new RegExp(`(?<=^|${SPACE})'(\\d[.,\\d]*)'`, 'g')
const OPENING_SINGLE = new RegExp(`(?<=^|[([{"\\-]|&lt;|${SPACE})'`, 'g')
const WITHIN_WORD = new RegExp(`(?<!${SPACE})'(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${SPACE})`, 'g')
const NUMBER_IN_DOUBLE = new RegExp(`(?<=^|${SPACE})"(\\d[.,\\d]*)"`, 'g')
const OPENING_DOUBLE = new RegExp(`(?<=^|[([{\\-]|&lt;|${SPACE})"(?!${SPACE})`, 'g')
const SPACED_EM_DASH = new RegExp(`(?<=^|${SPACE})--(?=$|${SPACE})`, 'g')
const SPACED_EN_DASH = new RegExp(`(?<=^|${SPACE})-(?=$|${SPACE})`, 'g')
const AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi

/** `&` that begins no character reference as `&#038;`. */
export function escapeAmpersands(text: string): string {
  return text.includes('&') ? text.replaceAll(AMPERSAND, '&#038;') : text
}

/** A piece of text without markup, set by the rules of `wptexturize`. Takes time in proportion to its length. */
export function typeset(text: string, typography: Typography): string {
  let set = text
  for (const [typed, character] of WORDS) {
    if (set.includes(typed)) set = set.replaceAll(typed, () => nameQuote(character, typography))
  }
  if (set.includes("'")) set = setSingleQuotes(set, typography)
  if (set.includes('"')) set = setDoubleQuotes(set, typography)
  if (set.includes('-')) set = setDashes(set)
  if (set.includes('x')) set = setMultiplications(set)
  return escapeAmpersands(set)
}

function nameQuote(character: string, { openingDouble, closingDouble }: Typography): string {
  if (character === '<opening>') return openingDouble
  return character === '<closing>' ? closingDouble : character
}

function setSingleQuotes(text: string, { openingSingle, closingSingle, closingDouble }: Typography): string {
  const marked = text
    .replaceAll(ABBREVIATED_YEAR, (_all, year: string, quote: string) => {
      return `${APOSTROPHE_MARK}${year}${quote === '"' ? closingDouble : closingSingle}`
    })
    .replaceAll(YEAR, APOSTROPHE_MARK)
    .replaceAll(NUMBER_IN_SINGLE, `${OPENING_SINGLE_MARK}$1${closingSingle}`)
    .replaceAll(OPENING_SINGLE, OPENING_SINGLE_MARK)
    .replaceAll(WITHIN_WORD, APOSTROPHE_MARK)
  return closeQuotes(marked, { quote: "'", opening: OPENING_SINGLE_MARK, closing: closingSingle, prime: PRIME })
    .replaceAll(APOSTROPHE_MARK, APOSTROPHE)
    .replaceAll(OPENING_SINGLE_MARK, openingSingle)
}

function setDoubleQuotes(text: string, { openingDouble, closingDouble }: Typography): string {
  const marked = text
    .replaceAll(NUMBER_IN_DOUBLE, `${OPENING_DOUBLE_MARK}$1${closingDouble}`)
    .replaceAll(OPENING_DOUBLE, OPENING_DOUBLE_MARK)
  return closeQuotes(marked, {
    ...{ quote: '"', opening: OPENING_DOUBLE_MARK, closing: closingDouble, prime: DOUBLE_PRIME },
  }).replaceAll(OPENING_DOUBLE_MARK, openingDouble)
}

interface Quotes {
  /** The typed character. */
  readonly quote: string
  /** The mark of an opening one. */
  readonly opening: string
  readonly closing: string
  readonly prime: string
}

/**
 * Distinguishes closing quotes from primes (6′ 2″) between two opening quotes: of several candidates, the closing quote is the one that
 * does not follow a digit, or else the last. WordPress's `wptexturize_primes`.
 */
function closeQuotes(text: string, quotes: Quotes): string {
  const { quote, opening, closing, prime } = quotes
  const candidate = new RegExp(`${quote}${AFTER}`, 'g')
  const afterDigit = new RegExp(`(?<=\\d)${quote}`, 'g')
  const sentences = text.split(opening).map((sentence, index) => {
    if (!sentence.includes(quote)) return sentence
    const closed =
      index === 0 || sentence.includes(closing)
        ? sentence.replaceAll(afterDigit, prime).replaceAll(candidate, closing)
        : closeSentence(sentence.replaceAll(candidate, UNCERTAIN_MARK), quotes).replaceAll(afterDigit, prime)
    return quote === '"' ? closed.replaceAll('"', closing) : closed
  })
  return sentences.join(opening)
}

/** Decides on the marks of a sentence that was opened and not closed. */
function closeSentence(sentence: string, { closing, prime }: Quotes): string {
  const first = sentence.indexOf(UNCERTAIN_MARK)
  if (first < 0) return sentence
  if (sentence.lastIndexOf(UNCERTAIN_MARK) === first) return sentence.replace(UNCERTAIN_MARK, () => closing)
  let closed = sentence.replaceAll(/(?<!\d)<u/g, closing)
  if (closed === sentence) {
    const beforePeriod = sentence.lastIndexOf(`${UNCERTAIN_MARK}.`)
    const last = beforePeriod < 0 ? sentence.lastIndexOf(UNCERTAIN_MARK) : beforePeriod
    closed = sentence.slice(0, last) + closing + sentence.slice(last + UNCERTAIN_MARK.length)
  }
  return closed.replaceAll(/(?<=\d)<u/g, prime).replaceAll(UNCERTAIN_MARK, closing)
}

function setDashes(text: string): string {
  return text
    .replaceAll('---', EM_DASH)
    .replaceAll(SPACED_EM_DASH, EM_DASH)
    .replaceAll(/(?<!xn)--/g, EN_DASH)
    .replaceAll(SPACED_EN_DASH, EN_DASH)
}

/** 3x4 as 3×4, but not 0x9999 or 3x4cm: each number must be a separate word. */
function setMultiplications(text: string): string {
  return text.replaceAll(/(?<=[\d.,])x(?=\d)/g, (sign, at: number) => {
    return isFactor(text, at) && isNumberEnd(text, at + 1) ? '&#215;' : sign
  })
}

/** Whether a number ends before the offset: one that starts a word and is not a single 0. */
function isFactor(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && /[\d.,]/.test(text.charAt(at)); at--) {
    const begins = /\d/.test(text.charAt(at)) && !/\w/.test(text.charAt(at - 1))
    if (begins && (text[at] !== '0' || at < end - 1)) return true
  }
  return false
}

/** Whether the number that begins at the offset ends a word somewhere. */
function isNumberEnd(text: string, start: number): boolean {
  let end = start
  while (/\d/.test(text.charAt(end))) end++
  return !/\w/.test(text.charAt(end))
}
