import type { Word } from 'pentad'

/** Maximum number of anchor texts per suggestion. */
const MOST_ANCHORS = 3
/** Maximum number of words of an anchor text. */
const MOST_WORDS = 8
/** Maximum number of common words between two keywords: "state of the art". */
const WIDEST_GAP = 2
/** Characters allowed between two words of an anchor text. */
const JOINT = /^[\s\-\u2010-\u2015'’·・]*$/

/** A text that can contain anchor texts, with its words. */
export interface LinkableText {
  readonly text: string
  readonly words: readonly Word[]
}

/**
 * Anchor texts for a link, best first, as they occur in the given texts: the longest runs of keywords of the target.
 * @param terms keywords of the target; those of its title weigh more
 */
export function findAnchors(texts: readonly LinkableText[], terms: ReadonlyMap<string, number>): string[] {
  const found = new Map<string, { anchor: string; weight: number }>()
  for (const { text, words } of texts) {
    for (let at = 0; at < words.length; at++) {
      if (!terms.has(words[at]?.term ?? '')) continue
      const end = endOfRun(text, words, at, terms)
      const run = words.slice(at, end + 1)
      const anchor = text.slice(run[0]?.start, run.at(-1)?.end)
      const weight = new Set(run.map(({ term }) => term))
        .values()
        .reduce((sum, term) => sum + (terms.get(term) ?? 0), 0)
      const key = anchor.toLowerCase()
      if (!found.has(key)) found.set(key, { anchor, weight })
      at = end
    }
  }
  const best = [...found.values()].sort((a, b) => b.weight - a.weight || a.anchor.length - b.anchor.length)
  return best.slice(0, MOST_ANCHORS).map(({ anchor }) => anchor)
}

/** Index of the last word of the run that starts at `from`. */
function endOfRun(text: string, words: readonly Word[], from: number, terms: ReadonlyMap<string, number>): number {
  let end = from
  for (let at = from + 1; at < words.length && at - from < MOST_WORDS && at - end <= WIDEST_GAP + 1; at++) {
    const [before, word] = [words[at - 1], words[at]]
    if (before === undefined || word === undefined || !JOINT.test(text.slice(before.end, word.start))) break
    if (terms.has(word.term)) end = at
  }
  return end
}
