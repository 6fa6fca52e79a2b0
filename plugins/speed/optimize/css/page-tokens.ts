import { hash } from 'node:crypto'
import type { HtmlDocument } from '../html/document.ts'
import type { PageTokens } from './critical-rules.ts'
import { unescapeCss } from './css-urls.ts'

/** A name as style sheets write it, escapes included: `md\:flex`, `\31 0`. */
const WORD = /(?:[\w-]|\P{ASCII}|\\[0-9a-f]{1,6}\s?|\\.)+/giu

/** All that a sheet can call an element by, and more. */
export function wordsOf(css: string): ReadonlySet<string> {
  return new Set((css.match(WORD) ?? []).map(unescapeCss))
}

/** The names, classes and ids of a page of which a sheet speaks, sorted, so that pages of one shape have the same. */
export function tokensOf(document: HtmlDocument, words: ReadonlySet<string>): PageTokens {
  const names = new Set<string>()
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const { name, attributes } of document.elements) {
    names.add(name.toLowerCase())
    for (const one of (attributes.get('class') ?? '').split(/\s+/)) classes.add(one)
    ids.add(attributes.get('id') ?? '')
  }
  const spokenOf = (all: ReadonlySet<string>) => [...all].filter((one) => words.has(one)).sort()
  return { names: spokenOf(names), classes: spokenOf(classes), ids: spokenOf(ids) }
}

export function hashOf(tokens: PageTokens): string {
  return hash('sha256', JSON.stringify(tokens), 'base64url')
}
