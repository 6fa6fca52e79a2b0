import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { HtmlDocument } from '../html/document.ts'
import type { Fragment } from '../html/fragment.ts'
import { perFragment } from '../html/fragment-facts.ts'
import type { PageTokens } from './critical-rules.ts'
import { unescapeCss } from './css-urls.ts'

/** A name in a style sheet, including escapes: `md\:flex`, `\31 0`. */
const WORD = /(?:[\w-]|\P{ASCII}|\\[0-9a-f]{1,6}\s?|\\.)+/giu

/** All words in a sheet that may be names, classes or ids. */
export function wordsOf(css: string): ReadonlySet<string> {
  return new Set((css.match(WORD) ?? []).map(unescapeCss))
}

/** The tokens of a page with their hash. */
export interface HashedTokens {
  readonly tokens: PageTokens
  readonly hash: string
}

/** The names, classes and ids of a page that occur in a sheet, sorted, so that similar pages have equal tokens. */
export type ReadTokens = (document: HtmlDocument) => HashedTokens

/** @param words of the sheet */
export function createReadTokens(words: ReadonlySet<string>): ReadTokens {
  let count = 0
  const usedIn = perFragment(({ elements }: Fragment) => {
    const used = (tokens: readonly string[]) => [...new Set(tokens)].filter((token) => words.has(token))
    return {
      number: count++,
      names: used(elements.map(({ name }) => name.toLowerCase())),
      classes: used(elements.flatMap(({ attributes }) => (attributes.get('class') ?? '').split(/\s+/))),
      ids: used(elements.map(({ attributes }) => attributes.get('id') ?? '')),
    }
  })
  /** By the numbers of the fragments. */
  const known = new LRUCache<string, HashedTokens>({ max: 100 })

  return ({ fragments }) => {
    const all = fragments.map(usedIn)
    const key = all.map(({ number }) => number).join()
    const inPage = (kind: keyof PageTokens) => [...new Set(all.flatMap((tokens) => tokens[kind]))].sort()
    const found = known.get(key) ?? hashed({ names: inPage('names'), classes: inPage('classes'), ids: inPage('ids') })
    known.set(key, found)
    return found
  }
}

function hashed(tokens: PageTokens): HashedTokens {
  return { tokens, hash: hash('sha256', JSON.stringify(tokens), 'base64url') }
}
