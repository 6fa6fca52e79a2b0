import { LRUCache } from 'lru-cache'
import { type Context, type Fragment, MOST_PARTS, PageTooComplex, parseFragment, START } from './fragment.ts'

/** Tags at which a page is divided: the parts that pages share start with them, and long code. */
const DIVIDING = /<(?:body|header|nav|main|article|section|aside|footer|form|style|script)[\s>]/gi
/** Minimum length of a fragment in characters: looking up a shorter one costs as much as it saves. */
const SHORTEST = 500
/** What fragments may occupy in memory, in bytes. */
const MOST_BYTES = 24 * 1024 * 1024
/** Approximate size of an element, in bytes. */
const ELEMENT_BYTES = 500

/** Reads the fragments of a page from its parts. A part that is a fragment already is used again where it can be. */
export type ReadFragments = (parts: readonly (string | Fragment)[]) => Fragment[]

/** Parses each fragment once for all pages: what a fragment is depends on its text and context only. */
export function createReadFragments(): ReadFragments {
  /** By text and context; `false` where the page cannot be divided after this text. */
  const known = new LRUCache<string, Fragment | false>({
    maxSize: MOST_BYTES,
    sizeCalculation: (fragment, key) =>
      key.length * 4 + (fragment ? fragment.elements.length * ELEMENT_BYTES : 0) + 200,
  })

  function find(context: Context, text: string, isLast: boolean): Fragment | false {
    // A new string: as a part of the page, the text would keep all of it in memory.
    const prefix = `${isLast ? '.' : ''}${context.key}<`
    const key = prefix + text
    const found = known.get(key)
    if (found !== undefined) return found
    const fragment = parseFragment(context, key.slice(prefix.length), isLast) ?? false
    known.set(key, fragment)
    return fragment
  }

  return (parts) => {
    const fragments: Fragment[] = []
    let context = START
    let at = 0
    let count = 0
    while (at < parts.length) {
      const part = parts[at]
      const isKnown = typeof part === 'object' && part.context.key === context.key
      let end = at + 1
      let fragment = isKnown && part.isLast === (end === parts.length) && part
      // Twice as many parts at each attempt, so that a page that cannot be divided is not parsed for each of its parts.
      for (let length = 1; !fragment; length *= 2) {
        end = Math.min(at + length, parts.length)
        fragment = find(context, textOf(parts.slice(at, end)), end === parts.length)
      }
      count += fragment.parts
      if (count > MOST_PARTS) throw new PageTooComplex('The page has too many elements.')
      fragments.push(fragment)
      context = fragment.after
      at = end
    }
    return fragments
  }
}

/** The text of successive parts. */
export function textOf(parts: readonly (string | Fragment)[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
}

/** Divides HTML where fragments probably start. Each part but the first starts with a tag. */
export function divide(html: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const { index } of html.matchAll(DIVIDING)) {
    if (index - from < SHORTEST) continue
    parts.push(html.slice(from, index))
    from = index
  }
  return [...parts, html.slice(from)]
}
