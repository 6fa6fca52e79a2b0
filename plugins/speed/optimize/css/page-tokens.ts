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

type TokenSets = Readonly<Record<keyof PageTokens, ReadonlySet<string>>>

/** The names, classes and ids of a page that occur in a sheet, sorted, so that similar pages have equal tokens. */
export function tokensOf(document: HtmlDocument, words: ReadonlySet<string>): PageTokens {
  const all = document.fragments.map(tokensOfFragment)
  const inSheet = (kind: keyof PageTokens) => {
    const found = new Set<string>()
    for (const tokens of all) for (const token of tokens[kind]) if (words.has(token)) found.add(token)
    return [...found].sort()
  }
  return { names: inSheet('names'), classes: inSheet('classes'), ids: inSheet('ids') }
}

const tokensOfFragment = perFragment(({ elements }: Fragment): TokenSets => {
  const names = new Set<string>()
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const { name, attributes } of elements) {
    names.add(name.toLowerCase())
    for (const one of (attributes.get('class') ?? '').split(/\s+/)) classes.add(one)
    ids.add(attributes.get('id') ?? '')
  }
  return { names, classes, ids }
})

export function hashOf(tokens: PageTokens): string {
  return hash('sha256', JSON.stringify(tokens), 'base64url')
}
