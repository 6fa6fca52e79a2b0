import { LRUCache } from 'lru-cache'
import { replaceRanges } from '../css/css-urls.ts'
import { type Context, type Fragment, MOST_PARTS, PageTooComplex, parseFragment, START } from './fragment.ts'

/** Tags at which a page is divided: the parts that pages share start with them, and long code. */
const DIVIDING = /<(?:body|header|nav|main|article|section|aside|footer|form|style|script)[\s>]/gi
export const STARTS_WITH_TAG = /^<[a-z]/i
/** Minimum length of a fragment in characters: looking up a shorter one costs as much as it saves. */
const SHORTEST = 500
/** What fragments may occupy in memory, and what is known about edits of them, in bytes each. */
const MOST_BYTES = 16 * 1024 * 1024
/** Approximate size of an element, in bytes. */
const ELEMENT_BYTES = 500

/** A change of a text: the range from `start` to `end` (exclusive) is replaced by `text`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The fragments of pages. */
export interface Fragments {
  /** Reads a page from its parts. A part that is a fragment already is used again where it can be. */
  read(parts: readonly (string | Fragment)[]): Fragment[]
  /**
   * The fragments that take the place of one after edits; `undefined` if the page around it must be read again.
   * @param edits in order, not overlapping
   */
  edit(fragment: Fragment, edits: readonly TextEdit[]): readonly Fragment[] | undefined
}

/**
 * Parses each fragment once for all pages: what a fragment is depends on its text and context only. What it becomes by
 * edits depends on these only, and most edits are the same for each page.
 */
export function createFragments(): Fragments {
  /** By text and context; `false` where the page cannot be divided after this text. */
  const known = new LRUCache<string, Fragment | false>({
    maxSize: MOST_BYTES,
    sizeCalculation: (fragment, key) => (fragment ? sizeOf(fragment) : 0) + key.length + 200,
  })
  const edited = new LRUCache<string, readonly Fragment[]>({
    maxSize: MOST_BYTES,
    sizeCalculation: (fragments, key) => fragments.reduce((sum, one) => sum + sizeOf(one), key.length + 200),
  })
  const numbers = new WeakMap<Fragment, number>()
  let count = 0

  function find(context: Context, text: string, isLast: boolean): Fragment | false {
    // A new string: as a part of the page, the text would keep all of it in memory.
    const prefix = `${isLast ? '.' : ''}${context.key}<`
    const key = prefix + text
    const found = known.get(key)
    if (found !== undefined) return found
    const fragment = parseFragment(context, key.slice(prefix.length), isLast) ?? false
    if (fragment) numbers.set(fragment, count++)
    known.set(key, fragment)
    return fragment
  }

  /** `undefined` if what follows the parts belongs to the last of them. */
  function read(
    parts: readonly (string | Fragment)[],
    place: { readonly context: Context; readonly isLast: boolean },
  ): Fragment[] | undefined {
    const fragments: Fragment[] = []
    let { context } = place
    let at = 0
    while (at < parts.length) {
      const part = parts[at]
      const isKnown = typeof part === 'object' && part.context.key === context.key
      let end = at + 1
      const isEnd = () => end === parts.length
      let fragment = isKnown && part.isLast === (place.isLast && isEnd()) && part
      // Twice as many parts at each attempt, so that a page that cannot be divided is not parsed for each of its parts.
      for (let length = 1; !fragment; length *= 2) {
        end = Math.min(at + length, parts.length)
        fragment = find(context, textOf(parts.slice(at, end)), place.isLast && isEnd())
        if (!fragment && isEnd()) return undefined
      }
      fragments.push(fragment)
      context = fragment.after
      at = end
    }
    return fragments
  }

  return {
    read(parts) {
      const fragments = read(parts, { context: START, isLast: true }) ?? []
      if (fragments.reduce((sum, fragment) => sum + fragment.parts, 0) > MOST_PARTS)
        throw new PageTooComplex('The page has too many elements.')
      return fragments
    },
    edit(fragment, edits) {
      const written = edits.map(({ start, end, text }) => `${start} ${end} ${text.length} ${text}`)
      const key = `${numbers.get(fragment)} ${written.join('')}`
      const found = edited.get(key)
      if (found) return found
      const text = replaceRanges(fragment.text, edits)
      if (text === fragment.text) return [fragment]
      // Only before a tag is it certain that the previous fragment ends.
      const isDivisible = fragment.context === START || STARTS_WITH_TAG.test(text)
      const result = isDivisible ? read(divide(text), fragment) : undefined
      if (result) edited.set(key, result)
      return result
    },
  }
}

/** Approximate size in memory, in bytes: the text, its minified form and the attributes. */
function sizeOf({ text, elements }: Fragment): number {
  return text.length * 3 + elements.length * ELEMENT_BYTES
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
