/** How many words that follow one another must stand in what is shown, for each of them to count as shown. */
const RUN = 3
/** Characters that are read of a text: no page that people read is longer. */
const LONGEST = 2_000_000
/** Stands in a text where a part of it was left out: what is before and after does not follow one another. */
export const GAP = '\u{F8FF}'
/** Words, and characters of scripts that put no spaces between them. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv

/** Ends of sentences, quotations and brackets after a word. */
const CLOSING = /[\p{Po}\p{Pe}\p{Pf}]*/uy

interface Word {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** A text that is shown, to be asked which parts of others are in it. Takes time in proportion to the texts. */
export interface ShownText {
  /**
   * The parts of a text that are shown: runs of three or more of its words, in its own spelling, with a blank where
   * something was left out. A shorter text must be there as a whole.
   */
  partsOf(text: string): string
}

export function readShownText(shown: string): ShownText {
  const words = wordsOf(shown)
  const runs = [1, 2, RUN].map((length) => new Set(runsOf(words, length)))

  return {
    partsOf(text) {
      return text.includes(GAP)
        ? text
            .split(GAP)
            .map((piece) => partsOf(piece).trim())
            .filter((piece) => piece !== '')
            .join(' ')
        : partsOf(text)
    },
  }

  function partsOf(whole: string): string {
    const text = whole.slice(0, LONGEST)
    const own = wordsOf(text)
    const length = Math.min(RUN, own.length)
    if (length === 0) return ''
    const known = runs[length - 1] ?? new Set()
    const isShown = new Uint8Array(own.length)
    runsOf(own, length).forEach((run, at) => {
      if (known.has(run)) isShown.fill(1, at, at + length)
    })
    if (isShown.every((one) => one === 1)) return text
    const parts: string[] = []
    for (let at = 0; at < own.length; at++) {
      if (isShown[at] === 0) continue
      const first = at
      while (isShown[at + 1] === 1) at++
      CLOSING.lastIndex = own[at]?.end ?? 0
      CLOSING.test(text)
      parts.push(text.slice(own[first]?.start, CLOSING.lastIndex))
    }
    return parts.join(' ')
  }
}

function wordsOf(text: string): Word[] {
  return [...text.slice(0, LONGEST).matchAll(WORD)].map(({ 0: word, index }) => ({
    folded: word.normalize('NFKC').toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

/** Every stretch of so many words, as a key. */
function runsOf(words: readonly Word[], length: number): string[] {
  const runs: string[] = []
  for (let at = 0; at + length <= words.length; at++) {
    let run = ''
    for (let next = at; next < at + length; next++) run += ` ${words[next]?.folded}`
    runs.push(run)
  }
  return runs
}
