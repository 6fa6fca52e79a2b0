import { createHtmlParser, parseInChunks } from '../../text/html-parser.ts'
import { removeAccents } from '../slug.ts'

/** Scripts that write without spaces, or glue particles to words: found by pairs of characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/u
const NOT_ASCII = /\P{ASCII}/u
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII_WORD = /[a-z\d]+/g
/** Maximum length of indexed words; longer ones are truncated. */
const WORD_LENGTH = 64
/** Longer HTML is found by its beginning only: taking hundreds of megabytes to pieces would take gigabytes of memory. */
const HTML_LENGTH = 4_000_000
/** Limit for both databases, because PostgreSQL limits a document to 1 MB of words and positions; text beyond it is not indexed. */
const DOCUMENT_BYTES = 600_000
/** Characters of an ASCII text that cannot exceed the limit: words of one character take the most, 13 bytes for each two characters. */
const MOST_UNSPLIT = DOCUMENT_BYTES / 7

/**
 * The words of a text in the form that is indexed and searched: lower case, without accents (`Über` → `uber`). A run of Chinese, Japanese,
 * Korean or Thai becomes overlapping pairs and its last character: `東京都` → `東京 京都 都`. Implemented here instead of in the databases, so that
 * both return the same results.
 */
export function toWords(text: string): string[] {
  const folded = fold(text)
  // The same in a fraction of the time.
  if (!NOT_ASCII.test(folded)) return (folded.match(ASCII_WORD) ?? []).map(cutWord)
  const words: string[] = []
  for (const run of runs(folded)) {
    if (!run.unspaced) words.push(run.text)
    // Not with spread, because the number of arguments of a call is limited.
    else for (const [at, character] of run.characters.entries()) words.push(character + (run.characters[at + 1] ?? ''))
  }
  return words
}

/** The words of a text within the limits, separated by characters at which SQLite's index splits. */
export function toSeparatedWords(text: string): string {
  const folded = fold(text)
  // Most texts can be split by the index itself, in a fraction of the time.
  const isSplitByIndex = folded.length <= MOST_UNSPLIT && !NOT_ASCII.test(folded) && hasShortWords(folded)
  return isSplitByIndex ? folded : withinLimits(toWords(text)).join(' ')
}

/** Whether no word can be longer than `WORD_LENGTH`, because there is a space in each range of this length. */
function hasShortWords(text: string): boolean {
  for (let at = 0; at + WORD_LENGTH < text.length; ) {
    const space = text.lastIndexOf(' ', at + WORD_LENGTH)
    if (space < at) return false
    at = space + 1
  }
  return true
}

/** One word or run of a question: the words that must follow one another, the last of them as a beginning or whole. */
export function toPhrase(text: string): { words: string[]; beginning: boolean } {
  const words: string[] = []
  let beginning = false
  for (const run of runs(fold(text))) {
    beginning = run.unspaced && run.characters.length === 1
    if (!run.unspaced || beginning) words.push(run.text)
    else for (const [at, next] of run.characters.slice(1).entries()) words.push((run.characters[at] ?? '') + next)
  }
  return { words, beginning }
}

/** Cuts a document to what both databases can index. */
export function withinLimits(words: readonly string[]): readonly string[] {
  // A word has at most `WORD_LENGTH` characters of at most four bytes.
  if (words.length * (4 * WORD_LENGTH + 12) <= DOCUMENT_BYTES) return words
  let bytes = 0
  const end = words.findIndex((word) => {
    bytes += Buffer.byteLength(word) + 12
    return bytes > DOCUMENT_BYTES
  })
  return end < 0 ? words : words.slice(0, end)
}

/** The visible text of HTML: without tags, block comments, scripts or styles. */
export function textOfHtml(html: string): string {
  const { parser, text } = createTextParser(html)
  parser.end(html.slice(0, HTML_LENGTH))
  return text()
}

/** `textOfHtml`, which yields the event loop in between. */
export async function readTextOfHtml(html: string): Promise<string> {
  const { parser, text } = createTextParser(html)
  await parseInChunks(parser, html.slice(0, HTML_LENGTH))
  return text()
}

function createTextParser(html: string) {
  const parts: string[] = []
  let silent = 0
  const isSilent = (name: string) => name === 'script' || name === 'style'
  const parser = createHtmlParser(
    {
      ontext: (text) => {
        if (silent === 0) parts.push(text)
      },
      onopentagname: (name) => {
        if (isSilent(name)) silent++
        if (!INLINE.has(name)) parts.push(' ')
      },
      onclosetag: (name) => {
        if (isSilent(name)) silent--
        if (!INLINE.has(name)) parts.push(' ')
      },
    },
    // The parser takes twice as long if it looks for entities.
    { decodeEntities: html.includes('&') },
  )
  return { parser, text: () => parts.join('') }
}

/** Tags that do not end a word: `H<sub>2</sub>O` is one. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u'.split(' '),
)

function runs(folded: string): { text: string; characters: string[]; unspaced: boolean }[] {
  const found: { text: string; characters: string[]; unspaced: boolean }[] = []
  const isAscii = !NOT_ASCII.test(folded)
  for (const [word] of folded.matchAll(WORD)) {
    let rest = word
    while (rest !== '') {
      const match = isAscii ? null : UNSPACED.exec(rest)
      const before = match ? rest.slice(0, match.index) : rest
      if (before !== '') found.push({ text: cutWord(before), characters: [], unspaced: false })
      if (match) found.push({ text: match[0], characters: [...match[0]], unspaced: true })
      rest = match ? rest.slice(match.index + match[0].length) : ''
    }
  }
  return found
}

/** Removes accents, except in scripts whose marks are vowels (Indic, Thai, …). */
function fold(text: string): string {
  // Most words, without the cost of the steps below, which change nothing else in them.
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  const plain = removeAccents(text.toWellFormed().normalize('NFKC'))
  return plain
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/ς/g, 'σ')
    .replace(/ё/g, 'е')
}

function cutWord(word: string): string {
  return word.length <= WORD_LENGTH ? word : [...word].slice(0, WORD_LENGTH).join('')
}
