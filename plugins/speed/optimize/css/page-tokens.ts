import { hash } from 'node:crypto'
import type { HtmlDocument } from '../html/document.ts'
import type { PageTokens } from './critical-rules.ts'
import { unescapeCss } from './css-urls.ts'

/** A name in a style sheet, including escapes: `md\:flex`, `\31 0`. */
const WORD = /(?:[\w-]|\P{ASCII}|\\[0-9a-f]{1,6}\s?|\\.)+/giu

/** All words in a sheet that may be names, classes or ids. */
export function wordsOf(css: string): ReadonlySet<string> {
  return new Set((css.match(WORD) ?? []).map(unescapeCss))
}

/** The names, classes and ids of a page that occur in a sheet, sorted, so that similar pages have equal tokens. */
export function tokensOf(document: HtmlDocument, words: ReadonlySet<string>): PageTokens {
  const names = new Set<string>()
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const { name, attributes } of document.elements) {
    names.add(name.toLowerCase())
    for (const one of (attributes.get('class') ?? '').split(/\s+/)) classes.add(one)
    ids.add(attributes.get('id') ?? '')
  }
  const inSheet = (all: ReadonlySet<string>) => [...all].filter((one) => words.has(one)).sort()
  return { names: inSheet(names), classes: inSheet(classes), ids: inSheet(ids) }
}

export function hashOf(tokens: PageTokens): string {
  return hash('sha256', JSON.stringify(tokens), 'base64url')
}
