import { createYield } from '../threads/yielding.ts'

/** Minimum number of consecutive words that must occur in the displayed text to count as displayed. */
const RUN = 3
/** Characters that are read of a text: no page that people read is longer. */
const LONGEST = 2_000_000
/** Placeholder for an omitted part of a text: the words before and after it are not consecutive. */
export const GAP = '\u{F8FF}'
/** Words, and characters of scripts that put no spaces between them. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv

/** Ends of sentences, quotations and brackets after a word. */
const CLOSING = /[\p{Po}\p{Pe}\p{Pf}]*/uy

/** Number of words processed between checks whether to yield. */
const BATCH = 512
/** Upper bound of word numbers, so that a pair fits into a safe integer. */
const NUMBERS = 2 ** 26

/** A displayed text, to determine which parts of other texts occur in it. Takes linear time, and yields to the event loop. */
export interface ShownText {
  /**
   * The parts of a text that are shown: runs of three or more of its words, in its own spelling, with a blank where
   * something was left out. A shorter text must be there as a whole.
   */
  partsOf(text: string): Promise<string>
}

export async function readShownText(shown: string): Promise<ShownText> {
  // Each word, each pair of words and so each run has a number: texts of short words have as many runs as words.
  const words = new Map<string, number>()
  const pairs = new Map<number, number>()
  const runs = new Set<number>()
  let before: number | undefined
  let pairBefore: number | undefined
  await readWords(shown, (folded) => {
    const word = numberOf(words, folded)
    const pair = before === undefined ? undefined : numberOf(pairs, before * NUMBERS + word)
    if (pairBefore !== undefined) runs.add(pairBefore * NUMBERS + word)
    before = word
    pairBefore = pair
  })

  /** Whether the run of words that begins there is displayed. */
  function isKnown(own: readonly number[], at: number, length: number): boolean {
    const [first = -1, second = -1, third = -1] = own.slice(at, at + length)
    if (first === -1 || length === 1) return first !== -1
    const pair = second === -1 ? undefined : pairs.get(first * NUMBERS + second)
    if (pair === undefined || length === 2) return pair !== undefined
    return third !== -1 && runs.has(pair * NUMBERS + third)
  }

  async function partsOf(whole: string): Promise<string> {
    const text = whole.slice(0, LONGEST)
    const own: number[] = []
    const starts: number[] = []
    const ends: number[] = []
    await readWords(text, (folded, start, end) => {
      own.push(words.get(folded) ?? -1)
      starts.push(start)
      ends.push(end)
    })
    const length = Math.min(RUN, own.length)
    if (length === 0) return ''
    const yieldTurn = createYield()
    const isShown = new Uint8Array(own.length)
    for (let at = 0; at + length <= own.length; at++) {
      if (at % BATCH === 0) await yieldTurn()
      if (isKnown(own, at, length)) isShown.fill(1, at, at + length)
    }
    if (!isShown.includes(0)) return text
    const parts: string[] = []
    for (let at = 0; at < own.length; at++) {
      if (isShown[at] === 0) continue
      if (parts.length % BATCH === 0) await yieldTurn()
      const first = at
      while (isShown[at + 1] === 1) at++
      CLOSING.lastIndex = ends[at] ?? 0
      CLOSING.test(text)
      parts.push(text.slice(starts[first], CLOSING.lastIndex))
    }
    return parts.join(' ')
  }

  return {
    async partsOf(text) {
      const yieldTurn = createYield()
      const parts: string[] = []
      for (const piece of text.split(GAP)) {
        await yieldTurn()
        parts.push(await partsOf(piece))
      }
      const [first = ''] = parts
      if (parts.length === 1) return first
      return parts
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(' ')
    },
  }
}

function numberOf<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}

/** @param visit receives each word in its comparable form, and its offsets */
async function readWords(text: string, visit: (folded: string, start: number, end: number) => void): Promise<void> {
  const yieldTurn = createYield()
  let count = 0
  for (const { 0: word, index } of text.slice(0, LONGEST).matchAll(WORD)) {
    if (count++ % BATCH === 0) await yieldTurn()
    visit(word.normalize('NFKC').toLowerCase(), index, index + word.length)
  }
}
