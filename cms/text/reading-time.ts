import { plainText } from './plain-text.ts'

/** Words that are read in a minute, as in WordPress and in the editor. */
const READING_SPEED = 189
/** Characters that are counted; the time of longer texts follows from their length. */
const LONGEST = 200_000
const WORD = /[\p{L}\p{N}\p{M}’']+/gu
/** Characters of scripts that put no spaces between words; a word has two on average. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Minutes that it takes to read HTML, rounded up; 0 if there are no words. */
export function readingTime(html: string): number {
  const text = plainText(html.slice(0, LONGEST))
  const spaced = text.replace(UNSPACED, ' ')
  const words = (spaced.match(WORD)?.length ?? 0) + (text.match(UNSPACED)?.length ?? 0) / 2
  return Math.ceil((words * Math.max(1, html.length / LONGEST)) / READING_SPEED)
}
