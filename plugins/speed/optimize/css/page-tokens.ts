import { hash } from 'node:crypto'
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

/** The names, classes and ids of a page that occur in a sheet, sorted, so that similar pages have equal tokens. */
export type ReadTokens = (document: HtmlDocument) => PageTokens

/** @param words of the sheet */
export function createReadTokens(words: ReadonlySet<string>): ReadTokens {
  const tokensOf = perFragment(({ elements }: Fragment): PageTokens => {
    const used = (tokens: readonly string[]) => [...new Set(tokens)].filter((token) => words.has(token))
    return {
      names: used(elements.map(({ name }) => name.toLowerCase())),
      classes: used(elements.flatMap(({ attributes }) => (attributes.get('class') ?? '').split(/\s+/))),
      ids: used(elements.map(({ attributes }) => attributes.get('id') ?? '')),
    }
  })
  return ({ fragments }) => {
    const all = fragments.map(tokensOf)
    const inPage = (kind: keyof PageTokens) => [...new Set(all.flatMap((tokens) => tokens[kind]))].sort()
    return { names: inPage('names'), classes: inPage('classes'), ids: inPage('ids') }
  }
}

export function hashOf(tokens: PageTokens): string {
  return hash('sha256', JSON.stringify(tokens), 'base64url')
}
