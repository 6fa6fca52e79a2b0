import type { DatabaseKind } from '../../../core/database/index.ts'
import { textOfHtml, toWords, withinLimits } from './words.ts'

/** Searchable HTML of a post. */
export interface SearchTexts {
  readonly title: string
  readonly content: readonly string[]
}

/** Value for the index: words separated by spaces for SQLite, `tsvector`s for PostgreSQL. */
export interface SearchDocument {
  readonly title: string
  readonly content: string
}

export function toSearchDocument(kind: DatabaseKind, texts: SearchTexts): SearchDocument {
  const title = withinLimits(toWords(textOfHtml(texts.title)))
  const content = withinLimits(texts.content.flatMap((html) => toWords(textOfHtml(html))))
  return kind === 'sqlite'
    ? { title: title.join(' '), content: content.join(' ') }
    : { title: toTsvector(title, 'A'), content: toTsvector(content, 'D') }
}

/** `'train':1A,7A 'night':2A`. PostgreSQL limits positions to 16383, and the number of positions per word. */
function toTsvector(words: readonly string[], weight: 'A' | 'D'): string {
  const positions = new Map<string, string[]>()
  words.forEach((word, at) => {
    const list = positions.get(word) ?? []
    if (list.length < 255) list.push(`${Math.min(at + 1, 16383)}${weight}`)
    positions.set(word, list)
  })
  return [...positions].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ')
}
