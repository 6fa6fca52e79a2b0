import type { DatabaseKind } from '../../../core/database/index.ts'
import { textOfHtml, toSeparatedWords, toWords, withinLimits } from './words.ts'

/** Searchable HTML of a post. */
export interface SearchTexts {
  readonly title: string
  readonly content: readonly string[]
}

/** Value for the index: separated words for SQLite, `tsvector`s for PostgreSQL. */
export interface SearchDocument {
  readonly title: string
  readonly content: string
}

export function toSearchDocument(kind: DatabaseKind, texts: SearchTexts): SearchDocument {
  const title = textOfHtml(texts.title)
  const content = texts.content.map(textOfHtml).join(' ')
  if (kind === 'sqlite') return { title: toSeparatedWords(title), content: toSeparatedWords(content) }
  const words = (text: string) => withinLimits(toWords(text))
  return { title: toTsvector(words(title), 'A'), content: toTsvector(words(content), 'D') }
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
